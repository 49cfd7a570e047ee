# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports: whether a program fits a chip, how long a step takes, what bounds it."""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, Iterator, Sequence

from . import _native
from ._errors import Error
from ._source import cache_name, program_text


class Report:
    """What is known of a program on a target. The fields are those of `tpuc report --json`: `report.step_cycles`,
    `report["mfu"]`, ...

    It prints as one screen; notebooks show the page.
    """

    def __init__(self, data: dict[str, Any], text: str, html: str):
        self.data = data
        self._text = text
        self._html = html

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["data"][name]
        except KeyError:
            raise AttributeError(
                f"a report has no field '{name}'; it has {', '.join(sorted(self.__dict__.get('data', {})))}"
            ) from None

    def __getitem__(self, name: str) -> Any:
        return self.data[name]

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self.data]

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self._html

    def save_html(self, path: str) -> None:
        """Writes the page, which stands alone."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._html)


def report(
    program: Any,
    *args: Any,
    target: str = "v5e",
    matmul_precision: str = "",
    sets: Sequence[str] = (),
    cache: bool | str | os.PathLike[str] | None = None,
    **kwargs: Any,
) -> Report:
    """Compiles a program and says what it is like on a chip, without running it: shapes are enough
    (jax.ShapeDtypeStruct).

    Arguments as `tpuc.compile`. Raises `tpuc.Error` for programs that are refused, or that do not fit.
    """
    text, name = program_text(program, args, kwargs)
    return _report(text, name, target, matmul_precision, sets, cache_name(cache))


def _report(text: str | bytes, name: str, target: str, precision: str, sets: Sequence[str], cache: str) -> Report:
    native = _native.compile(text, name, target, precision, list(sets), cache)
    return Report(json.loads(native.report_json()), native.report_text(), native.report_html())


class Comparison:
    """Reports of one program, by target; a target that it does not fit has the error instead."""

    def __init__(self, results: dict[str, Report | Error]):
        self.results = results

    def __getitem__(self, target: str) -> Report | Error:
        return self.results[target]

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def rows(self) -> list[tuple[str, ...]]:
        """Target, step time in milliseconds, MFU, what bounds it; or why not."""
        rows: list[tuple[str, ...]] = []
        for target, result in self.results.items():
            if isinstance(result, Error):
                rows.append((target, "-", "-", (str(result).strip().splitlines() or ["refused"])[0]))
            else:
                rows.append(
                    (target, f"{result.step_seconds * 1e3:.4g}", f"{100 * result.mfu:.1f}%", str(result.bound_by))
                )
        return rows

    def __str__(self) -> str:
        rows = [("target", "step ms", "MFU", "bound by"), *self.rows()]
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        return "\n".join(
            "  ".join([row[0].ljust(widths[0]), row[1].rjust(widths[1]), row[2].rjust(widths[2]), row[3]])
            for row in rows
        )

    __repr__ = __str__


def compare(
    program: Any,
    args: Sequence[Any] = (),
    targets: Sequence[str] = ("v4", "v5e", "v5p", "v6e"),
    *,
    matmul_precision: str = "",
    cache: bool | str | os.PathLike[str] | None = None,
    **kwargs: Any,
) -> Comparison:
    """The same program on several targets: `tpuc.compare(f, args, targets=["v5e", "v6e"])`."""
    text, name = program_text(program, tuple(args), kwargs)
    results: dict[str, Report | Error] = {}
    for target in targets:
        try:
            results[target] = _report(text, name, target, matmul_precision, (), cache_name(cache))
        except Error as error:
            results[target] = error
    return Comparison(results)
