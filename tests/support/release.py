"""Build a release into `dist` and try it as a user would: `python -m tests.support.release [URL]`, or `make release`.

The wheel is built from the source archive, and each is installed with its dependencies into an environment of its own.
In it `segue --help`, a transition, a check and the start of the studio must work. URL: the address of the repository,
which the page of the package index needs for its links and pictures.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
DIST = ROOT / "dist"
_ADDRESS = re.compile(r"http://(127\.0\.0\.1|localhost|\[::1\]):\d+")
_START = 300.0  # s in which the studio has to print its address, also on a busy machine


def run(command: Sequence[str | Path], folder: Path = ROOT, **settings: str) -> str:
    """Run a command and return what it printed; end with its output if it fails."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | settings
    done = subprocess.run([str(word) for word in command], cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def build(url: str) -> list[Path]:
    """Return the source archive and the wheel that is built from it."""
    shutil.rmtree(DIST, ignore_errors=True)
    settings = {"SEGUE_MACHINE_CODE": "1"} | ({"SEGUE_URL": url} if url else {})
    run([sys.executable, "-m", "hatchling", "build", "-t", "sdist"], **settings)
    source = next(DIST.glob("segue-*.tar.gz"))
    run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", DIST, source], **settings)
    return [source, next(DIST.glob("segue-*.whl"))]


def try_out(package: Path, folder: Path) -> float:
    """Install a package into a new environment and use it; return the seconds of the first transition."""
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    run([python, "-m", "pip", "install", "--quiet", f"{package}[studio]"])
    segue = python.with_name("segue")
    assert "transition" in run([segue, "--help"], folder)
    began = time.monotonic()
    run([segue, "transition", "clips.walk", "clips.run", "-o", "walk_run.bvh"], folder)
    seconds = time.monotonic() - began
    run([segue, "check", "walk_run.bvh"], folder)
    start_studio([str(segue), "studio", "--no-browser"], folder)
    return seconds


def start_studio(command: Sequence[str], folder: Path) -> None:
    """Start the studio and end it when it has printed its address; end this program if it prints none."""
    printed = folder / "studio.log"
    with printed.open("w") as log, subprocess.Popen(command, cwd=folder, stdout=log, stderr=log) as studio:
        try:
            until = time.monotonic() + _START
            while not _ADDRESS.search(printed.read_text()) and time.monotonic() < until and studio.poll() is None:
                time.sleep(0.2)
        finally:
            studio.terminate()
    if not _ADDRESS.search(printed.read_text()):
        sys.exit(f"the studio did not start:\n{printed.read_text()}")


def main(url: str = "") -> None:
    """Build and try both packages."""
    for package in build(url):
        with tempfile.TemporaryDirectory() as folder:
            seconds = try_out(package, Path(folder))
        print(f"{package.name}: {package.stat().st_size / 1e6:.1f} MB, first transition {seconds:.1f} s, studio starts")


if __name__ == "__main__":
    main(*sys.argv[1:])
