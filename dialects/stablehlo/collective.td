//===- collective.td - communication between the devices of a program -----------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_STABLEHLO_COLLECTIVE_TD
#define TPUC_STABLEHLO_COLLECTIVE_TD

include "dialects/stablehlo/attributes.td"

// Lists of ids, or axes of a mesh.
defvar ReplicaGroups = AnyAttrOf<[I64ElementsAttr, ReplicaGroupMeshAxesAttr]>;

// A collective names a mesh by symbol.
class Collective<string mnemonic, list<Trait> traits = []>
    : StableHLO_Op<mnemonic, [DeclareOpInterfaceMethods<SymbolUserOpInterface>] # traits> {
  let hasVerifier = 1;
}

def AllGatherOp : Collective<"all_gather"> {
  let arguments = (ins Variadic<PerTensorHloTensor>:$operands, I64Attr:$all_gather_dim,
                       ReplicaGroups:$replica_groups, OptionalAttr<ChannelHandleAttr>:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<PerTensorHloTensor>);
}

def AllReduceOp : Collective<"all_reduce"> {
  let arguments = (ins Variadic<PerTensorHloTensor>:$operands, ReplicaGroups:$replica_groups,
                       OptionalAttr<ChannelHandleAttr>:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<PerTensorHloTensor>);
  let regions = (region SizedRegion<1>:$computation);
}

def AllToAllOp : Collective<"all_to_all"> {
  let arguments = (ins Variadic<PerTensorHloTensor>:$operands, I64Attr:$split_dimension,
                       I64Attr:$concat_dimension, I64Attr:$split_count,
                       ReplicaGroups:$replica_groups, OptionalAttr<ChannelHandleAttr>:$channel_handle);
  let results = (outs Variadic<PerTensorHloTensor>);
}

def ReduceScatterOp : Collective<"reduce_scatter"> {
  let arguments = (ins PerTensorHloTensor:$operand, I64Attr:$scatter_dimension,
                       ReplicaGroups:$replica_groups, OptionalAttr<ChannelHandleAttr>:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let results = (outs PerTensorHloTensor:$result);
  let regions = (region SizedRegion<1>:$computation);
}

def CollectiveBroadcastOp : Collective<"collective_broadcast"> {
  let arguments = (ins Variadic<PerTensorHloTensor>:$operands, ReplicaGroups:$replica_groups,
                       OptionalAttr<ChannelHandleAttr>:$channel_handle,
                       UnitAttr:$has_dynamic_root);
  let results = (outs Variadic<PerTensorHloTensor>);
}

def CollectiveReduceOp : Collective<"collective_reduce"> {
  let arguments = (ins Variadic<PerTensorHloTensor>:$operands, ReplicaGroups:$replica_groups,
                       OptionalAttr<ChannelHandleAttr>:$channel_handle,
                       UnitAttr:$has_dynamic_root,
                       UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<PerTensorHloTensor>);
  let regions = (region SizedRegion<1>:$computation);
}

def CollectivePermuteOp : StableHLO_Op<"collective_permute"> {
  let arguments = (ins PerTensorHloTensor:$operand, I64ElementsAttr:$source_target_pairs,
                       OptionalAttr<ChannelHandleAttr>:$channel_handle);
  let results = (outs PerTensorHloTensor:$result);
  let hasVerifier = 1;
}

// An op of HLO: an all_reduce that adds.
def CrossReplicaSumOp : StableHLO_Op<"cross-replica-sum"> {
  let arguments = (ins PerTensorHloTensor:$operand, I64ElementsAttr:$replica_groups);
  let results = (outs PerTensorHloTensor:$result);
  let hasVerifier = 1;
}

#endif
