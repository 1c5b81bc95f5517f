"""A wheel carries its machine code: it needs no numba, compiles nothing, and gives the bytes that the source gives."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import zipfile
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest
from hatch_build import wanted, with_addresses

from segue.compiled import Kernel
from segue.compiled.kinds import Kind, class_of
from segue.compiled.machine import LEVELS, architecture
from segue.compiled.machine.link import compiler
from segue.compiled.signatures import FILE, collected, declare, declared, kernel_of
from tests.support.wheel import COMMANDS, ROOT, build_wheel, fresh_environment, output_of

PACKAGE = ROOT / "src" / "segue"
MOST = 12e6  # bytes


def kernels_called_from_python() -> set[str]:
    """Return the names of kernels that functions call which are no kernels themselves."""
    found = set()
    for file in sorted(PACKAGE.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text)
        if "_kernels" not in text and "@compiled(" not in text and "compiled" not in text:
            continue
        module = import_module(
            ".".join(["segue", *file.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__")
        )
        inside = {
            node
            for function in ast.walk(tree)
            if isinstance(function, ast.FunctionDef)
            and any("compiled(" in ast.unparse(d) for d in function.decorator_list)
            for node in ast.walk(function)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and node not in inside:
                value = _named(node.func, module)
                if isinstance(value, Kernel):
                    found.add(f"{value.py_func.__module__}.{value.py_func.__qualname__}")
    return found


def _named(node: ast.expr, module: object) -> object:
    if isinstance(node, ast.Name):
        return getattr(module, node.id, None)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        owner = getattr(module, node.value.id, None)
        return vars(owner).get(node.attr) if isinstance(owner, type(sys)) else None
    return None


def test_every_kernel_that_python_calls_is_declared() -> None:
    assert kernels_called_from_python() - set(declared()) == set(), "run make signatures"


def test_declared_signatures_are_those_of_the_source() -> None:
    def fits(kind: Kind) -> bool:
        if kind[0] not in "tr":
            return True
        names = getattr(class_of(kind[1]), "_fields", None) if kind[1] else kind[2]
        return names is not None and len(names) == len(kind[2]) and all(map(fits, kind[2]))

    for name, lists in declared().items():
        kernel = kernel_of(name)
        assert kernel is not None, f"{name} is gone: run make signatures"
        parameters = signature(kernel.py_func).parameters.values()
        least = sum(parameter.default is parameter.empty for parameter in parameters)
        for kinds in lists:
            assert least <= len(kinds) <= len(parameters), f"{name} takes others: run make signatures"
            assert all(map(fits, kinds)), f"{name} takes tuples with other fields: run make signatures"


def test_declaring_again_changes_nothing(tmp_path: Path) -> None:
    declare(declared(), tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == FILE.read_text()


def test_calls_are_recorded_with_the_types_of_their_arguments(tmp_path: Path) -> None:
    code = (
        "import numpy as np; from segue.curves import quaternion_kernels as k; "
        "exec('k.dot(np.ones(3), np.arange(6.0)[::2])', {'__name__': 'segue.any', 'k': k, 'np': np}); k.dot(1, 2)"
    )
    settings = {"SEGUE_RECORD_SIGNATURES": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | settings, capture_output=True, check=False)
    assert done.returncode == 1  # of other callers nothing is recorded, whatever the kernel makes of the arguments
    expected = [["a", "<f8", 1, "C", 0], ["a", "<f8", 1, "A", 0]]
    assert collected(tmp_path) == {"segue.curves.quaternion_kernels.dot": [expected]}


@pytest.mark.nightly
@pytest.mark.skipif(compiler() is None, reason="no C compiler")
def test_the_wheel_needs_no_numba_and_gives_the_bytes_of_the_source(tmp_path: Path) -> None:
    wheel = build_wheel(tmp_path, machine_code=True)
    assert wheel.stat().st_size < MOST
    assert not wheel.name.endswith("none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert sum(name.endswith(".so") for name in archive.namelist()) == 1
    python = fresh_environment(tmp_path / "fresh", wheel)
    missing = subprocess.run([str(python), "-c", "import numba"], capture_output=True, text=True, check=False)
    assert "No module named 'numba'" in missing.stderr
    source = {
        "PYTHONPATH": str(ROOT / "src"),
        "NUMBA_CACHE_DIR": str(ROOT / "build" / "kernels"),
        "NUMBA_CPU_NAME": LEVELS[architecture()].cpu,
        "NUMBA_CPU_FEATURES": "",
        "SEGUE_MACHINE_CODE": "0",
    }
    for name in COMMANDS:
        (tmp_path / "source").mkdir(exist_ok=True)
        made, words = output_of(python, name, tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
        assert "compiling" not in words
        assert made == output_of(Path(sys.executable), name, tmp_path / "source", **source)[0], name


def test_machine_code_is_built_only_if_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SEGUE_MACHINE_CODE", raising=False)
    assert not wanted()
    monkeypatch.setenv("SEGUE_MACHINE_CODE", "1")
    assert wanted() == (compiler() is not None and sys.platform == "linux")


@pytest.mark.nightly
def test_a_wheel_is_pure_and_requires_numba_unless_machine_code_is_asked_for(tmp_path: Path) -> None:
    wheel = build_wheel(tmp_path, machine_code=False)
    assert wheel.name.endswith("py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        metadata = next(name for name in archive.namelist() if name.endswith("METADATA"))
        assert "Requires-Dist: numba>=0.60\n" in archive.read(metadata).decode()


def test_links_of_the_readme_become_addresses() -> None:
    text = "![a picture](docs/a.png) and [a page](docs/a.md#part), [there](https://a.example/), [below](#below)"
    url = "https://git.example/segue"
    assert with_addresses(text, url) == (
        f"![a picture]({url}/raw/main/docs/a.png) and [a page]({url}/blob/main/docs/a.md#part), "
        "[there](https://a.example/), [below](#below)"
    )
