//===- collectives.td - from one sharding to another -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sharding of a result follows from the operand's and the axes; `out_sharding` repeats it, and verifiers compare.
#ifndef TPUC_SDY_COLLECTIVES_TD
#define TPUC_SDY_COLLECTIVES_TD

include "dialects/sdy/sdy.td"

class CollectiveOp<string mnemonic, dag axes, string format, list<string> methods = [], list<Trait> traits = []>
    : Sdy_Op<mnemonic, [AllTypesMatch<["tensor", "result"]>, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
                        DeclareOpInterfaceMethods<CollectiveOpInterface, methods>] # traits> {
  let arguments = !con((ins AnyType:$tensor), axes, (ins TensorShardingAttr:$out_sharding));
  let results = (outs AnyType:$result);
  let assemblyFormat = format # " $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)";
}

def AllGatherOp : CollectiveOp<"all_gather", (ins ListOfAxisRefListsAttr:$gathering_axes), "$gathering_axes">;
def AllSliceOp : CollectiveOp<"all_slice", (ins ListOfAxisRefListsAttr:$slicing_axes), "$slicing_axes",
                              ["allowMissingInputSharding"]>;
def AllToAllOp : CollectiveOp<"all_to_all", (ins AllToAllParamListAttr:$params), "$params">;
def AllReduceOp
    : CollectiveOp<"all_reduce", (ins AxisRefListAttr:$reduction_axes, OptionalAttr<ReductionOpAttr>:$reduction_op),
                   "custom<Reduction>($reduction_op) $reduction_axes", ["allowMissingInputSharding"]>;
def ReduceScatterOp
    : CollectiveOp<"reduce_scatter",
                   (ins ListOfAxisRefListsAttr:$reduce_scatter_axes, OptionalAttr<ReductionOpAttr>:$reduction_op),
                   "custom<Reduction>($reduction_op) $reduce_scatter_axes">;
def CollectivePermuteOp : CollectiveOp<"collective_permute", (ins), "", ["allowDifferentMeshes"]>;
def ShardedToUnreducedOp : CollectiveOp<"sharded_to_unreduced", (ins ListOfAxisRefListsAttr:$axes), "$axes">;
def ReplicatedToUnreducedOp : CollectiveOp<"replicated_to_unreduced", (ins AxisRefListAttr:$axes), "$axes",
                                           ["allowMissingInputSharding"]>;

#endif
