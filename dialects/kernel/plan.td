// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the plan stage decides of a kernel.
#ifndef TPUC_DIALECTS_KERNEL_PLAN
#define TPUC_DIALECTS_KERNEL_PLAN

include "dialects/kernel/kernel_base.td"
include "mlir/IR/AttrTypeBase.td"

class Kernel_Attr<string name, string mnemonic_> : AttrDef<Kernel_Dialect, name> { let mnemonic = mnemonic_; }

def Kernel_BlockAttr : Kernel_Attr<"Block", "block"> {
  let summary = "the part of an array that a grid step sees";
  let description = [{
    Its extents along the array's dims as they lie in memory, and the map from a step's number along each dim of the
    index space to the block's number along each dim of the array. An array in `hbm` has so many slots of VMEM, two
    where the next block arrives while this one is worked on. One in `vmem` is worked on where it lies, or has slots
    too. One `within` another, by its number among what the kernel reads, shows the same array, and lies in the words
    that are brought for that.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::AffineMap":$map, "bool":$resident,
                        "int64_t":$slots, DefaultValuedParameter<"int64_t", "-1">:$within);
  let hasCustomAssemblyFormat = 1;
}

def Kernel_PlanAttr : Kernel_Attr<"Plan", "plan"> {
  let summary = "a kernel's grid, blocks and memory";
  let description = [{
    `grid` lists the dims of the index space, outermost first: how long each is, and by how much a step goes along it.
    Steps of `parallel` dims are independent; `sequential` ones run in order on one core; a dim that is `whole` is not
    walked. `reads` and `writes` are the blocks, `vmem` the words of 512 bytes up to the kernel's last one, and how many
    there may be: they follow from the rest and may be left out; where they stand they have to agree. What else the kind
    of kernel decides stands in between, by name.

    ```mlir
    #kernel.plan<grid [parallel d0 = 2048 by 512, parallel d1 = 300 by 300],
                 reads [[512, 300] (d0, d1) -> (d0, d1) in hbm slots 2], writes [[512] (d0, d1) -> (d0) in hbm slots 2],
                 keeps = [3], vmem 3200 of 229376>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$extents, ArrayRefParameter<"int64_t">:$blocks,
                        ArrayRefParameter<"int64_t">:$parallel, ArrayRefParameter<"int64_t">:$sequential,
                        ArrayRefParameter<"::tpuc::kernel::BlockAttr">:$reads,
                        ArrayRefParameter<"::tpuc::kernel::BlockAttr">:$writes, "::mlir::DictionaryAttr":$choices,
                        "int64_t":$words, "int64_t":$budget);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Kernel_PlaceAttr : Kernel_Attr<"Place", "place"> {
  let summary = "where a kernel's result lies in VMEM until its last reader is done";
  let description = [{
    Of the array under this type: its first word and how many it takes, the rows and column tiles that there is room
    for, the words from one column tile to the next, and from one index of each leading dim to the next. `over`: the
    input of the same kernel in whose place it lies, block by block.

    ```mlir
    #kernel.place<tensor<512x128xf32> at 0 words 512 rows 512 tiles 1 strides [512]>
    ```
  }];
  let parameters = (ins "::mlir::Type":$type, "int64_t":$word, "int64_t":$words, "int64_t":$rows, "int64_t":$tiles,
                        ArrayRefParameter<"int64_t">:$strides, DefaultValuedParameter<"int64_t", "-1">:$over);
  let assemblyFormat = [{
    `<` $type `at` $word `words` $words `rows` $rows `tiles` $tiles `strides` `[` $strides `]` (`over` $over^)? `>`
  }];
}

#endif
