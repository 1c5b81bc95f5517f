"""A wheel of this source, and a fresh environment with it in which numba is not installed."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[2]
ABSENT = ("numba", "llvmlite", "segue", "_editable", "__editable", "_segue")
"""How the entries of the site folder begin that the fresh environment lacks."""

COMMANDS = {
    "transition.bvh": ["transition", "clips.walk", "clips.run"],
    "check.json": ["check", "clips.walk"],
    "loop.bvh": ["loop", "clips.walk", "--repeat", "3"],
    "keyframe.bvh": ["keyframe", "examples/13_step.toml"],
    "fill.bvh": ["fill", "clips.walk", "--gap", "1.2:1.7", "--joints", "left_arm"],
    "view.html": ["view", "clips.walk"],
    "dance.bvh": ["dance", "preview", "foxtrot/forward basic"],
}
"""Commands that write a file each, run in the root of the source."""


def build_wheel(folder: Path, source: Path = ROOT, *, machine_code: bool) -> Path:
    """Build a wheel with what is installed; kernels that have not changed come from the source's folder `build`."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(folder),
        str(source),
    ]
    settings = {"SEGUE_MACHINE_CODE": "1" if machine_code else ""}
    subprocess.run(command, env=os.environ | settings, check=True, capture_output=True, text=True)
    return next(folder.glob("segue-*.whl"))


def fresh_environment(folder: Path, wheel: Path) -> Path:
    """Return the Python of a new environment with the wheel, and with all that is installed here but numba."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if not entry.name.startswith(ABSENT) and entry.suffix != ".pth" and not (site / entry.name).exists():
            (site / entry.name).symlink_to(entry)
    install = [sys.executable, "-m", "pip", "--python", str(folder), "install", "--quiet", "--no-deps", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    return folder / "bin" / "python"


def output_of(python: Path, name: str, folder: Path, **settings: str) -> tuple[bytes, str]:
    """Run a command of COMMANDS in a new process; return what it writes to its file, and to stderr."""
    target = folder / name
    option = "--json" if target.suffix == ".json" else "-o"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | settings
    done = subprocess.run(
        [str(python), "-m", "segue", *COMMANDS[name], option, str(target)],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert target.is_file(), done.stderr
    return target.read_bytes(), done.stderr
