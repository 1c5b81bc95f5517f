"""Nothing is imported before it is needed: not by `import segue`, and not by commands that do not use it."""

from __future__ import annotations

import ast
import inspect
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer

import segue
from segue.cli import COMMANDS

HEAVY = ("lark", "llvmlite", "matplotlib", "mujoco", "numba", "prompt_toolkit", "scipy.interpolate", "scipy.linalg")


def imported_by(code: str) -> set[str]:
    """Return the modules that a new process has imported after some code."""
    code += "\nimport sys\nsys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], env=os.environ, capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_importing_segue_imports_nothing_that_is_slow() -> None:
    assert imported_by("import segue").isdisjoint({*HEAVY, "numpy", "scipy", "rich"})


@pytest.mark.parametrize("words", [["--help"], ["--version"]])
def test_the_help_imports_no_command(words: list[str]) -> None:
    code = f"import sys; sys.argv = ['segue', *{words!r}]\nfrom segue.cli import main\n"
    found = imported_by(f"{code}try:\n    main()\nexcept SystemExit:\n    pass")
    assert found.isdisjoint({*HEAVY, "numpy", "scipy"})


def test_a_name_imports_what_it_needs_alone() -> None:
    assert imported_by("import segue; segue.Motion, segue.load, segue.transition").isdisjoint({"lark", "matplotlib"})


def test_names_for_type_checkers_are_the_names_at_run_time() -> None:
    tree = ast.parse(Path(segue.__file__).read_text(encoding="utf-8"))
    blocks = [node for node in tree.body if isinstance(node, ast.If)]
    imported = [node for node in blocks[0].body if isinstance(node, ast.ImportFrom)]
    seen = {alias.asname: f"{node.module}.{alias.name}" for node in imported for alias in node.names}
    assert sorted(name for name in seen if name) == segue.__all__ == dir(segue)
    for name, path in seen.items():
        module, _, last = path.rpartition(".")
        assert getattr(segue, str(name)) is getattr(import_module(module), last)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'segue' has no attribute 'nothing'"):
        segue.nothing  # noqa: B018


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_all_commands_is_their_own(name: str) -> None:
    place, line = COMMANDS[name]
    module, _, attribute = place.rpartition(".")
    command = getattr(import_module(f"segue.cli.{module}"), attribute)
    text = command.info.help if isinstance(command, typer.Typer) else inspect.getdoc(command)
    assert " ".join(text.split("\n\n")[0].split()) == line
