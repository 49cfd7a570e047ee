# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tpuc refuses, as an exception."""


class Error(Exception):
    """A program, a target or an option that tpuc does not take.

    Attributes:
      code: a stable name such as "TPUC-FIT-001"; `tpuc.explain(code)` says what to do. Empty where there is none.
      exit: how the command would end: 1 the machine stopped, 2 usage, 3 invalid program, 4 unsupported, 5 does not fit.
    """

    def __init__(self, message: str, code: str = "", exit: int = 1):
        super().__init__(message)
        self.code = code
        self.exit = exit
