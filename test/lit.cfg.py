# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# lit: runs the RUN lines of the tests under test/ (suffixes .mlir and .test).
import os
import sys

import lit.formats

config.name = "tpuc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
# Inputs of other tests, and GoogleTest's.
config.excludes = ["Inputs", "unit", "timing", "programs"]
config.test_source_root = os.path.dirname(__file__)

# tpuc's tools, then FileCheck, not and split-file.
config.environment["PATH"] = os.pathsep.join([config.tpuc_tools_dir, config.llvm_tools_dir, os.environ["PATH"]])
config.environment["LLVM_SYMBOLIZER_PATH"] = os.path.join(config.llvm_tools_dir, "llvm-symbolizer")
# Diagnostics without colours, whatever the terminal.
config.environment["NO_COLOR"] = "1"
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TPUC_CPU"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# %exits CODE COMMAND...: the command ends with that exit code.
config.substitutions.append(("%exits", f"{sys.executable} {config.test_source_root}/Inputs/exits.py"))
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%examples", os.path.join(os.path.dirname(config.test_source_root), "examples")))
config.substitutions.append(("%corpus", os.environ.get("TPUC_CORPUS", "")))
if os.environ.get("TPUC_CORPUS"):
    config.available_features.add("corpus")
