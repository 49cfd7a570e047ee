#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""interrupted.py TPUC ENDLESS: Ctrl-C ends a run of a program that does not end, and the programs behind it."""

import signal
import subprocess
import sys
import time

tpuc, endless = sys.argv[1:]


def hears():
    """What runs in the background of a shell ignores Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupt(number, arguments, after=1.0):
    process = subprocess.Popen(
        [tpuc, "run", *arguments, "--random=1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hears,
    )
    time.sleep(after)
    process.send_signal(number)
    try:
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    # While it starts, the signal ends the process as it does any other.
    if number == signal.SIGINT and process.returncode == -number and after < 60:
        return interrupt(number, arguments, after * 2)
    return process.returncode, out, err


code, out, err = interrupt(signal.SIGINT, [endless])
assert (
    code == 130
    and "interrupted in routine" in err
    and "endless.mlir:" in err
    and "has gone round" in err
    and "TPUC-RUN-006" in err
), (code, err)
code, out, err = interrupt(signal.SIGINT, [endless, endless])
assert code == 130 and len(out.splitlines()) == 1, (code, out, err)
code, out, err = interrupt(signal.SIGTERM, [endless])
assert code == -signal.SIGTERM, (code, err)
