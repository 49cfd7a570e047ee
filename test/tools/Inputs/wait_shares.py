# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wait_shares.py REPORT.JSON CORES: what most waiting is for, as a share of all cores' cycles."""

import json
import re
import sys

report = json.load(open(sys.argv[1]))
name, share = re.search(r"waiting is for ([a-z ]+), ([\d.]+)%", report["bound_why"]).groups()
waits = report["counters"]["timed"]["stall_cycles"][name]
want = 100 * waits / report["step_cycles"] / int(sys.argv[2])
assert abs(want - float(share)) < 0.06, f"expects {want:.1f}%, but got: {report['bound_why']}"
