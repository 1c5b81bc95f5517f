"""Compiling happens once, says so in one line, and notices when anything it is made of changes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
RUN = "import segue_kernel_for_test as k; print(k.outer(10.0)); print(k.outer(20.0))"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
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


def test_a_change_in_an_imported_segue_module_makes_the_cache_stale(folder: Path) -> None:
    """Numba alone looks at the file of the function only, and would go on using the old machine code."""
    package = folder / "segue_fake"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "helper.py").write_text(
        "from segue.compiled import compiled\n@compiled(seconds=1)\ndef f(x): return x\n"
    )
    kernel = (
        "import segue.compiled as c\nc._PACKAGE = 'segue_fake'\nfrom segue_fake.helper import f\n"
        "@c.compiled(seconds=1)\ndef g(x): return f(x) + 1.0\n"
    )
    (package / "kernel.py").write_text(kernel)
    code = "from segue_fake.kernel import g; print(g(1.0))"
    assert run(folder, code)[0] == "2.0\n"
    helper = package / "helper.py"
    helper.write_text(helper.read_text().replace("return x", "return x * 5.0"))
    out, notice = run(folder, code)
    assert out == "6.0\n"
    assert "compiling g" in notice
