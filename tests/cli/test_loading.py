"""Ctrl-C while the modules of the command load ends it with one word."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# what pip writes as bin/segue
SCRIPT = "import sys\nfrom segue.cli import main\nif __name__ == '__main__':\n    sys.exit(main())\n"


def start(folder: Path, *command: str, during: str) -> subprocess.CompletedProcess[str]:
    """Run a command in which Ctrl-C arrives while the given module is being imported."""
    (folder / f"{during}.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n")
    paths = os.pathsep.join([str(folder), *filter(None, sys.path)])
    environment = os.environ | {"PYTHONPATH": paths}
    return subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("during", ["numpy", "typer"])
def test_ctrl_c_while_the_command_loads_is_one_word(tmp_path: Path, during: str) -> None:
    """NumPy is the first large import of the package, typer the first of the command line."""
    script = tmp_path / "segue"
    script.write_text(SCRIPT)
    for command in (("-m", "segue"), (str(script),)):
        done = start(tmp_path, *command, "info", "clips.walk", during=during)
        assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_ctrl_c_in_a_program_that_imports_segue_stays_an_exception(tmp_path: Path) -> None:
    code = "try:\n    from segue import Motion\nexcept KeyboardInterrupt:\n    print('caught')"
    done = start(tmp_path, "-c", code, during="numpy")
    assert (done.returncode, done.stdout, done.stderr) == (0, "caught\n", "")
