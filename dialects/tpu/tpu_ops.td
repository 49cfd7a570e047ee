// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tpu dialect: machine code before and after scheduling. Instructions come from runtime/isa's table, not from here.
#ifndef TPUC_DIALECTS_TPU_OPS
#define TPUC_DIALECTS_TPU_OPS

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tpu_Dialect : Dialect {
  let name = "tpu";
  let cppNamespace = "::tpuc::tpu";
  let summary = "instructions of the machine, over virtual registers and then in bundles";
  let description = [{
    `tpu.inst` is any instruction of runtime/isa's table, by mnemonic; its operands, fields and effects are checked
    against the table. Control flow around it is `scf`, index arithmetic is `arith`, until the scheduler.
  }];
  let useDefaultTypePrinterParser = 1;
}

class Tpu_Type<string name, string mnem, string text> : TypeDef<Tpu_Dialect, name> {
  let mnemonic = mnem;
  let summary = text;
}
def Tpu_Vreg : Tpu_Type<"Vreg", "vreg", "a vector register: 8 sublanes of 128 lanes of 32 bits">;
def Tpu_Mask : Tpu_Type<"Mask", "mask", "a mask register: a bit for each of 8 x 128 lanes">;
def Tpu_Value : AnyTypeOf<[Tpu_Vreg, Tpu_Mask, I64]>;

class Tpu_Op<string mnemonic, list<Trait> traits = []> : Op<Tpu_Dialect, mnemonic, traits>;

def Tpu_InstOp : Tpu_Op<"inst", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                                 DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "one instruction of the table";
  let description = [{
    Operands fill the instruction's source slots in order; a slot that takes an immediate, or is optional, stays empty
    when the next operand is of another kind. `fields` gives the immediate fields by name (absent: 0). `region` names
    the piece
    of VMEM a load or store stays within.

    ```mlir
    %2 = tpu.inst "v.ld"(%base) {off = 8, stride = 1} region 0 : (i64) -> !tpu.vreg
    %3 = tpu.inst "v.add.f32"(%1, %2) : (!tpu.vreg, !tpu.vreg) -> !tpu.vreg
    ```
  }];
  let arguments = (ins StrAttr:$mnemonic, Variadic<Tpu_Value>:$operands, OptionalAttr<DictionaryAttr>:$fields,
                       OptionalAttr<I64Attr>:$vmem_region);
  let results = (outs Optional<Tpu_Value>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tpu_DmaStartOp : Tpu_Op<"dma_start", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "start a DMA: nested counted dims around a contiguous run of bytes";
  let description = [{
    The byte address of step (i0, i1, ...) is buffer + offset + operand + sum of i * stride, on either side. A side
    without a buffer is VMEM or SMEM, as its space says. Completion adds 1 to the semaphore. With a `chip`, the
    destination is that chip's, whose chip semaphore `signals` counts too; only in the entry routine.
  }];
  let arguments = (ins I64:$src_add, I64:$dst_add, I64:$semaphore, StrAttr:$src_space, StrAttr:$dst_space,
                       OptionalAttr<FlatSymbolRefAttr>:$src_buffer, OptionalAttr<FlatSymbolRefAttr>:$dst_buffer,
                       I64Attr:$src_offset, I64Attr:$dst_offset, I64Attr:$run_bytes, DenseI64ArrayAttr:$counts,
                       DenseI64ArrayAttr:$src_strides, DenseI64ArrayAttr:$dst_strides, Optional<I64>:$chip,
                       OptionalAttr<I64Attr>:$signals);
  let builders = [OpBuilder<(ins "::mlir::Value":$src_add, "::mlir::Value":$dst_add, "::mlir::Value":$semaphore,
                                 "::mlir::StringAttr":$src_space, "::mlir::StringAttr":$dst_space,
                                 "::mlir::FlatSymbolRefAttr":$src_buffer, "::mlir::FlatSymbolRefAttr":$dst_buffer,
                                 "::mlir::IntegerAttr":$src_offset, "::mlir::IntegerAttr":$dst_offset,
                                 "::mlir::IntegerAttr":$run_bytes, "::mlir::DenseI64ArrayAttr":$counts,
                                 "::mlir::DenseI64ArrayAttr":$src_strides, "::mlir::DenseI64ArrayAttr":$dst_strides),
                            [{
                              build($_builder, $_state, src_add, dst_add, semaphore, src_space, dst_space, src_buffer,
                                    dst_buffer, src_offset, dst_offset, run_bytes, counts, src_strides, dst_strides,
                                    ::mlir::Value(), ::mlir::IntegerAttr());
                            }]>];
  let hasVerifier = 1;
  let assemblyFormat = [{
    $src_space ($src_buffer^)? `[` $src_add `+` $src_offset `]` `to` $dst_space ($dst_buffer^)?
        `[` $dst_add `+` $dst_offset `]`
    `run` $run_bytes `counts` $counts `strides` $src_strides `to` $dst_strides `sem` $semaphore
        (`chip` $chip^ `signals` $signals)? attr-dict
  }];
}

def Tpu_BufferOp : Tpu_Op<"buffer", [Symbol]> {
  let summary = "a region of HBM, or of VMEM between kernels";
  let description = [{
    `kind` is "argument", "result", "constant", "arena", or "view": a part of the buffer `view_of` from byte `offset`
    on, which is no buffer of the executable's; or "vmem": an array that stays on chip from kernel
    `live[0]` to kernel `live[1]`, counted in
    program order; no DMA names it. A temporary, in the arena or in VMEM, may lie in the place of the one that it
    `replaces`: the kernel that makes it reads that last, each block before it writes there.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$kind, I64Attr:$index, I64Attr:$offset, I64Attr:$size,
                       TypeAttr:$array, DenseI64ArrayAttr:$order, OptionalAttr<ElementsAttr>:$value,
                       OptionalAttr<I64Attr>:$alias_argument, OptionalAttr<StrAttr>:$user_name,
                       OptionalAttr<FlatSymbolRefAttr>:$view_of, OptionalAttr<DenseI64ArrayAttr>:$live,
                       OptionalAttr<FlatSymbolRefAttr>:$replaces);
  let assemblyFormat = "$sym_name $kind $index `at` $offset `size` $size `:` $array `order` $order attr-dict";
}

def Tpu_RoutineOp : Tpu_Op<"routine", [Symbol, IsolatedFromAbove]> {
  let summary = "a routine over virtual registers; its block arguments are a grid's first step and number of steps";
  let arguments = (ins SymbolNameAttr:$sym_name, UnitAttr:$entry, OptionalAttr<DictionaryAttr>:$facts);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`entry` $entry^)? $sym_name (`facts` $facts^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Tpu_ReturnOp : Tpu_Op<"return", [Terminator, HasParent<"RoutineOp">]> {
  let summary = "end of a routine";
  let assemblyFormat = "attr-dict";
}

def Tpu_GridOp : Tpu_Op<"grid"> {
  let summary = "run a routine's independent steps, spread over the cores, or all on the program's core alone";
  let arguments = (ins FlatSymbolRefAttr:$callee, I64Attr:$steps, UnitAttr:$alone);
  let assemblyFormat = "$callee `steps` $steps (`alone` $alone^)? attr-dict";
}

def Tpu_CallOp : Tpu_Op<"call"> {
  let summary = "run a routine of grids: a launch";
  let description = [{
    In the entry routine alone. The routine's own steps and numbers are none.

    ```mlir
    tpu.call @launch0
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee);
  let assemblyFormat = "$callee attr-dict";
}

def Tpu_HostCallOp : Tpu_Op<"host_call"> {
  let summary = "a function of the host's, which reads and writes arrays";
  let description = [{
    In the entry routine alone.

    ```mlir
    tpu.host_call 7 [@tmp0] [tensor<8xf64>] -> [@tmp1] [tensor<8xf64>]
    ```
  }];
  let arguments = (ins I64Attr:$id, FlatSymbolRefArrayAttr:$inputs, TypeArrayAttr:$input_types,
      FlatSymbolRefArrayAttr:$outputs,
                       TypeArrayAttr:$output_types);
  let hasVerifier = 1;
  let assemblyFormat = "$id $inputs $input_types `->` $outputs $output_types attr-dict";
}

def Tpu_TwinOp : Tpu_Op<"twin", [Symbol]> {
  let summary = "a routine with the code of another one, on other buffers";
  let description = [{
    Kernels that differ in their buffers and source lines alone are lowered once: the first is a routine, each of the
    others its twin. Where the `original` names the i-th buffer of `from`, its twin has the i-th of `to`; where it has
    the location `lines[2 i]`, its twin has `lines[2 i + 1]`.

    ```mlir
    tpu.twin @k7 of @k1 from [@arg0, @tmp0] to [@arg5, @tmp3] facts {kind = "loop"}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$original, FlatSymbolRefArrayAttr:$from,
                       FlatSymbolRefArrayAttr:$to, OptionalAttr<ArrayAttr>:$lines,
                       OptionalAttr<DictionaryAttr>:$facts);
  let assemblyFormat = "$sym_name `of` $original `from` $from `to` $to (`lines` $lines^)? (`facts` $facts^)? attr-dict";
  let hasVerifier = 1;
}

def Tpu_BundlesOp : Tpu_Op<"bundles", [Symbol]> {
  let summary = "a scheduled routine: its instructions in bundles, targets relative to its first bundle";
  let arguments = (ins SymbolNameAttr:$sym_name, UnitAttr:$entry, DenseI64ArrayAttr:$code, StrArrayAttr:$places,
                       DenseI32ArrayAttr:$place_starts, OptionalAttr<DictionaryAttr>:$facts);
  let description = [{
    `code` is the instructions as the executable has them (`isa::Inst`, two words each); the text shows them as
    assembly, a line for each bundle. From bundle `place_starts[i]` on the source line is `places[i]`, which the text
    shows after `at`.

    ```mlir
    tpu.bundles @k0 facts {kind = "loop"} {
      at "model.py:3"
      "v.ld v0, s0, stride=1 ; s.add s0, s0, 8"
      "v.add.f32 v1, v0, v0"
      "ret"
    }
    ```
  }];
  let builders = [OpBuilder<(ins "::mlir::StringAttr":$name, "bool":$entry,
                                 "::llvm::ArrayRef<::tpuc::isa::Inst>":$instructions,
                                 "::llvm::ArrayRef<::llvm::StringRef>":$bundle_places,
                                 "::mlir::DictionaryAttr":$facts)>];
  let extraClassDeclaration = [{
    std::vector<::tpuc::isa::Inst> instructions();
  }];
  let assemblyFormat = "(`entry` $entry^)? $sym_name (`facts` $facts^)? custom<Bundles>($code, $places, $place_starts) "
      "attr-dict";
  let hasVerifier = 1;
}

#endif
