# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The installed package without JAX: compile, run, report, errors."""

import ast
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import tpuc

MLP = pathlib.Path(__file__).parents[2] / "examples" / "mlp_ragged"

ADD = """func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.add %a, %b : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}"""


def test_program_takes_and_gives_numpy_arrays():
    program = tpuc.compile(ADD)
    assert [str(a) for a in program.arguments] == ["float32[2, 3]", "float32[2, 3]"]
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    (result,) = program(a, np.asfortranarray(a))
    np.testing.assert_array_equal(result, a + a)
    assert result.dtype == np.float32 and result.shape == (2, 3)


def test_program_equals_its_reference():
    program = tpuc.compile(MLP / "program.mlir", matmul_precision="highest")
    inputs = [np.load(MLP / f"input.{i}.npy") for i in range(len(program.arguments))]
    (result,) = program(*inputs)
    reference = np.load(MLP / "output.0.npy")
    assert np.abs(result - reference).max() <= 3e-6 * np.abs(reference).max()


def test_arguments_are_checked_by_number_type_and_shape():
    program = tpuc.compile(ADD)
    a = np.zeros((2, 3), np.float32)
    with pytest.raises(tpuc.Error, match="expects 2 arguments, but got 1"):
        program(a)
    with pytest.raises(tpuc.Error, match=r"argument 1 expects float32\[2, 3\], but got float64\[2, 3\]"):
        program(a, a.astype(np.float64))
    with pytest.raises(tpuc.Error, match=r"argument 0 expects float32\[2, 3\], but got float32\[3, 2\]"):
        program(a.T, a)


def test_refusals_have_code_and_exit():
    with pytest.raises(tpuc.Error) as caught:
        tpuc.compile("func.func @main(")
    assert caught.value.exit == 3 and caught.value.code and tpuc.explain(caught.value.code)
    with pytest.raises(tpuc.Error) as caught:
        tpuc.compile(ADD, target="v99")
    assert caught.value.exit == 2
    with pytest.raises(tpuc.Error) as caught:
        tpuc.report(ADD.replace("2x3", "8000000000"))
    assert caught.value.exit == 5


def test_report_has_the_fields_of_its_json():
    report = tpuc.report(MLP / "program.mlir", target="v6e")
    assert report.target == "v6e" and report.fits and report.step_seconds > 0
    assert report["step_cycles"] == report.step_cycles > 0
    assert "step" in str(report) and report._repr_html_().lstrip().startswith("<!")
    json.dumps(report.data)
    with pytest.raises(AttributeError, match="it has .*step_seconds"):
        report.no_such_field


def test_compare_puts_targets_side_by_side():
    comparison = tpuc.compare(MLP / "program.mlir", targets=["v5e", "v6e", "v1"])
    assert comparison["v5e"].target == "v5e"
    assert isinstance(comparison["v1"], tpuc.Error)  # f32 on a chip of integers
    assert len(str(comparison).splitlines()) == 4


def test_a_folder_keeps_programs(tmp_path, capfd, monkeypatch):
    monkeypatch.setenv("TPUC_LOG", "compiles")
    folder = tmp_path / "programs"
    tpuc.compile(ADD)
    assert capfd.readouterr().err == "" and not folder.exists()
    tpuc.compile(ADD, cache=folder)
    assert "compiled in" in capfd.readouterr().err
    a = np.ones((2, 3), np.float32)
    (result,) = tpuc.compile(ADD, cache=str(folder))(a, a)
    assert "cached, loaded in" in capfd.readouterr().err and (result == 2).all()
    assert tpuc.report(ADD, cache=folder).step_seconds > 0
    assert "cached, loaded in" in capfd.readouterr().err
    comparison = tpuc.compare(ADD, targets=["v5e", "v4"], cache=folder)
    said = capfd.readouterr().err
    assert "cached, loaded in" in said and "compiled in" in said and set(comparison) == {"v5e", "v4"}
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    tpuc.compile(ADD, cache=True)
    assert (tmp_path / "home" / "tpuc").is_dir()


def test_stubs_name_what_the_compiled_part_has():
    stub = ast.parse((pathlib.Path(tpuc.__file__).parent / "_native.pyi").read_text())
    named = {node.name: node for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    native = tpuc._program._native
    assert set(named) == {name for name in dir(native) if not name.startswith("_")}
    methods = {node.name for node in named["Executable"].body}
    assert methods == {name for name in dir(native.Executable) if not name.startswith("_")}


USER = """
import numpy as np
import tpuc

def step_milliseconds(text: str, targets: list[str]) -> dict[str, float]:
    comparison = tpuc.compare(text, targets=targets)
    reports = {target: comparison[target] for target in comparison}
    return {target: report.step_seconds * 1e3 for target, report in reports.items() if isinstance(report, tpuc.Report)}

def doubled(text: str, x: np.ndarray) -> np.ndarray:
    program: tpuc.Program = tpuc.compile(text, matmul_precision="highest", cache=None)
    results = program(x)
    return results[0].reshape(program.results[0].shape)
"""


def test_types_hold_for_the_package_and_for_who_uses_it(tmp_path):
    pytest.importorskip("mypy")
    site = pathlib.Path(tpuc.__file__).parents[1]
    (tmp_path / "user.py").write_text(USER)

    def check(*what):
        command = [sys.executable, "-m", "mypy", "--strict", f"--cache-dir={tmp_path}/cache", *what]
        environment = {**os.environ, "MYPYPATH": str(site)}
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr

    check("-p", "tpuc")
    check("user.py")
    (tmp_path / "user.py").write_text(
        USER.replace("return results[0].reshape(program.results[0].shape)", "return results")
    )
    with pytest.raises(AssertionError, match="user.py:13"):
        check("user.py")


def test_modules_of_a_clone_say_what_is_missing():
    source = pathlib.Path(__file__).parents[2] / "compiler" / "embed" / "python"
    done = subprocess.run([sys.executable, "-c", "import tpuc"], capture_output=True, text=True, cwd=source)
    assert done.returncode and "pip install ." in done.stderr.splitlines()[-1]


def test_executables_are_saved_and_loaded(tmp_path):
    program = tpuc.compile(ADD)
    program.save(tmp_path / "add.tpuc")
    a = np.ones((2, 3), np.float32)
    for again in (tpuc.load(tmp_path / "add.tpuc"), tpuc.load(program.serialize())):
        np.testing.assert_array_equal(again(a, a)[0], a + a)
    with pytest.raises(tpuc.Error):
        tpuc.load(program.serialize()[:-1])


def test_command_is_installed():
    done = subprocess.run(
        [sys.executable, "-c", "from tpuc._command import main; main()", "--version"], capture_output=True, text=True
    )
    assert done.returncode == 0 and done.stdout.startswith("tpuc ")
