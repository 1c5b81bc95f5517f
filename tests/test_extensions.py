"""Extensions are found by their entry points, and a broken one does no harm."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from segue.errors import SegueWarning
from segue.extensions import GROUP, load_extensions

GREETING = """
from segue.language import Function, register_function

def register():
    register_function(Function("greeting", (), lambda context: "good day", "Says good day.", "greeting()"))
"""


def install(folder: Path, name: str, target: str, code: str) -> None:
    """Leave a package in a folder as an installer would, with one entry point."""
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    facts = folder / f"{name}-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (facts / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {name}:{target}\n", encoding="utf-8")


def test_the_command_knows_what_extensions_add(tmp_path: Path) -> None:
    install(tmp_path, "greeting_for_segue", "register", GREETING)
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.argv = ['segue', 'eval', 'greeting()']"
    result = subprocess.run(
        [sys.executable, "-c", f"{code}; from segue.cli import main; main()"], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    assert "good day" in result.stdout


@pytest.mark.parametrize(
    ("target", "code"),
    [("register", "raise RuntimeError('no licence')"), ("missing", ""), ("register", "def register(): 1 / 0")],
)
def test_a_broken_extension_is_told_and_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, code: str
) -> None:
    install(tmp_path, "broken_for_segue", target, code)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "broken_for_segue", raising=False)
    with pytest.warns(SegueWarning, match=r"the extension 'broken_for_segue' .* cannot be used"):
        assert "broken_for_segue" not in load_extensions()
