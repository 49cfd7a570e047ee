#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# exports.sh PLUGIN: it exports GetPjrtApi alone, and needs no LLVM, MLIR or abseil from elsewhere.
set -eu
symbols=$(nm -D --defined-only "$1" | awk '{print $3}')
[ "$symbols" = GetPjrtApi ] || { echo "exports: $symbols"; exit 1; }
if readelf -d "$1" | grep -E 'NEEDED.*(LLVM|MLIR|absl|stdc)'; then exit 1; fi
