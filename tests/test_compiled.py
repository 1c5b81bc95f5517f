"""Compiling happens once, says so in one line, and notices when anything it is made of changes."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import segue

KERNEL = """
from segue.compiled import compiled
from segue_helper_for_test import factor

@compiled(seconds=2)
def _inner(x):
    return factor * x

@compiled(seconds=3)
def outer(x):
    return _inner(x) + 1.0
"""
LOOP = """
    t{n} = 0.0
    for i in range(a.size):
        x = a[i] - b[i] * {n}.5
        y = c[i] * x + a[i]
        z = y * x + b[i] * c[i] + x
        if z > {n}.25:
            t{n} += z / (2.0 + x * x) + np.sqrt(1.0 + y * y)
        else:
            t{n} -= a[i] * b[i] * c[i] * x * y + c[i] * x + c[i] * y
"""
ROUNDING = f"""
import numpy as np
from segue.compiled import compiled

@compiled(seconds=1, fast_math=True)
def inner(a, b, c):
{"".join(LOOP.format(n=n) for n in range(8))}
    return t0 + t1 + t2 + t3 + t4 + t5 + t6 + t7

@compiled(seconds=1, fast_math=True)
def outer(a, b, c):
    return inner(a, b, c) + inner(b, c, a) + inner(c, a, b)
"""
FLAGS = """
import numpy as np
from segue.compiled import compiled

@compiled(seconds=1, inline=True)
def _powers(a):
    total = 0.0
    for i in range(a.size):
        total += a[i] ** 7
    return total

@compiled(seconds=1)
def plain(a):
    return _powers(a) + a[0] ** 7

@compiled(seconds=1, fast_math=True)
def fast(a):
    return _powers(a) + a[0] ** 7

@compiled(seconds=1, fast_math=True)
def both(a):
    return plain(a) - fast(a)

def show(*kernels):
    a = np.random.default_rng(1).random((40, 101))
    values = {kernel.__name__: [kernel(row).hex() for row in a] for kernel in kernels}
    print(sorted(values.items()))
"""
TRIALS = """
import numpy as np
import segue_rounding_for_test as k
random = np.random.default_rng(1)
for size in range(90, 130):
    {first}
    print(k.outer(*random.random((3, size))).hex())
"""
RUN = "import segue_kernel_for_test as k; print(k.outer(10.0)); print(k.outer(20.0))"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    # a package of the same name that leads to the modules but imports none of them, so that processes start quickly
    (tmp_path / "segue").mkdir()
    (tmp_path / "segue" / "__init__.py").write_text(f"__path__ = [{str(Path(segue.__file__).parent)!r}]\n")
    (tmp_path / "segue_kernel_for_test.py").write_text(KERNEL)
    (tmp_path / "segue_helper_for_test.py").write_text("factor = 2.0\n")
    return tmp_path


def run(folder: Path, code: str = RUN) -> tuple[str, str]:
    """Return what a new process prints to stdout and stderr; compiled code is kept in the folder."""
    paths = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return done.stdout, done.stderr


def test_the_notice_is_one_line_for_the_outermost_function_and_only_the_first_time(folder: Path) -> None:
    out, notice = run(folder)
    assert out.split() == ["21.0", "41.0"]
    assert notice == "segue: compiling outer (once, about 3 s)\n"
    assert run(folder) == (out, "")


def test_an_unreadable_cache_counts_as_empty(folder: Path) -> None:
    out, notice = run(folder)
    for index in (folder / "cache").rglob("*.nbi"):
        index.write_bytes(b"not an index")
    assert run(folder) == (out, notice)


PARTS = """
from typing import NamedTuple
from segue.compiled import compiled
import segue_constants_for_test
from segue_constants_for_test import SHIFT

class Pair(NamedTuple):
    first: float
    second: float

@compiled(seconds=1)
def total(pair: Pair) -> float:
    return later(pair.first) + SHIFT + segue_constants_for_test.RISE

@compiled(seconds=1, inline=True)
def later(x: float) -> float:
    return 2.0 * x
"""
CONSTANTS = "SHIFT, RISE, UNUSED = 10.0, 100.0, 1.0\n"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("return 2.0 * x", "return 5.0 * x", 115.0),
        ("first: float\n    second: float", "second: float\n    first: float", 114.0),
        ("10.0", "20.0", 122.0),
        ("100.0", "200.0", 212.0),
        ("UNUSED = 10.0, 100.0, 1.0", "UNUSED = 10.0, 100.0, 3.0", None),
        ("    return later", "    # a comment\n    return later", None),
        ("float:\n    return 2.0", 'float:\n    """A docstring."""\n    return 2.0', None),
        ("@compiled(seconds=1)", "LATER = 3\n\n@compiled(seconds=1)", None),
    ],
)
def test_the_cache_is_stale_when_what_a_kernel_is_made_of_changes(
    folder: Path, old: str, new: str, expected: float | None
) -> None:
    """Numba alone looks at the file of the function only, and at its time."""
    parts, constants = folder / "segue_parts_for_test.py", folder / "segue_constants_for_test.py"
    parts.write_text(PARTS)
    constants.write_text(CONSTANTS)
    code = "import segue_parts_for_test as k; print(k.total(k.Pair(1.0, 2.0)))"
    assert run(folder, code) == ("112.0\n", "segue: compiling total (once, about 1 s)\n")
    changed = [
        file.write_text(file.read_text().replace(old, new)) for file in (parts, constants) if old in file.read_text()
    ]
    assert changed
    out, notice = run(folder, code)
    assert out == f"{expected or 112.0}\n"
    assert ("compiling total" in notice) == (expected is not None)


def test_copies_of_a_program_share_the_folder_of_compiled_code(folder: Path) -> None:
    run(folder)
    copy = folder / "copy"
    copy.mkdir()
    for name in ("segue_kernel_for_test.py", "segue_helper_for_test.py"):
        shutil.move(folder / name, copy / name)
    assert run(folder, f"import sys; sys.path.insert(0, {str(copy)!r}); {RUN}") == ("21.0\n41.0\n", "")


def test_results_are_the_same_to_the_last_bit_whichever_kernels_were_compiled_or_loaded(folder: Path) -> None:
    """Fast-math code of a callee may round otherwise where its caller has optimised a copy of it once more."""
    (folder / "segue_rounding_for_test.py").write_text(ROUNDING)
    alone, callee_first = TRIALS.format(first=""), TRIALS.format(first="k.inner(*np.ones((3, size)))")

    def forget(kernel: str) -> None:
        files = list((folder / "cache").rglob(f"*.{kernel}-*"))
        assert files
        for file in files:
            file.unlink()

    compiled, notice = run(folder, alone)
    assert notice == "segue: compiling outer (once, about 1 s)\n"
    assert run(folder, alone) == (compiled, "")
    assert run(folder, callee_first) == (compiled, "")
    forget("outer")
    assert run(folder, alone) == (compiled, notice)
    forget("inner")
    assert run(folder, callee_first) == (compiled, notice.replace("outer", "inner"))


def test_kernels_do_not_depend_on_which_of_them_is_compiled_first(folder: Path) -> None:
    """Numba hands flags of a caller on to functions without flags of their own, if it compiles them for the caller."""
    (folder / "segue_flags_for_test.py").write_text(FLAGS)
    fast_first, _ = run(folder, "import segue_flags_for_test as k; k.show(k.fast, k.both, k.plain)")
    shutil.rmtree(folder / "cache")
    plain_first, notice = run(folder, "import segue_flags_for_test as k; k.show(k.plain, k.both, k.fast)")
    assert "compiling plain" in notice
    assert plain_first == fast_first


def assigned_slices(kernel: ast.FunctionDef) -> list[tuple[ast.expr, ast.expr]]:
    """Return the slices that a kernel assigns to, each with the value."""
    pairs: list[tuple[ast.expr, ast.expr]] = []
    for node in ast.walk(kernel):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                several = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                pairs += zip(target.elts, node.value.elts, strict=True) if several else [(target, node.value)]
    return [
        (target, value)
        for target, value in pairs
        if isinstance(target, ast.Subscript) and any(isinstance(part, ast.Slice) for part in ast.walk(target.slice))
    ]


def test_kernels_copy_arrays_with_copy_into() -> None:
    """Numba compiles seconds of text formatting for `a[:] = b`, in case the shapes differ."""
    for file in Path(segue.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and "compiled(" in " ".join(map(ast.unparse, node.decorator_list)):
                for target, value in assigned_slices(node):
                    found = f"{ast.unparse(target)} = {ast.unparse(value)}"
                    assert isinstance(value, ast.Constant), f"{file.name}, {node.name}: use copy_into, not {found}"


def test_a_kernel_that_another_process_compiles_is_awaited(folder: Path) -> None:
    paths = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": paths}
    # both are ready to compile before either may
    code = f"import segue.compiled.jit, sys; print('ready', flush=True); sys.stdin.readline(); {RUN}"
    both = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in both:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in both:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    said = [process.communicate(timeout=120) for process in both]
    assert [out for out, _ in said] == ["21.0\n41.0\n"] * 2
    assert sorted(notice for _, notice in said) == ["", "segue: compiling outer (once, about 3 s)\n"]
    assert not list((folder / "cache").glob("*.lock"))
