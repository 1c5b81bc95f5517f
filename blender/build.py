"""Build the extension: one zip for each platform and Python series, with wheels as they come from the registry.

python blender/build.py --out out/blender [--platform linux-x64] [--python 3.11]
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = HERE / "segue_blender"

PLATFORMS = {
    "linux-x64": ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "windows-x64": ("win_amd64",),
    "macos-arm64": ("macosx_14_0_arm64", "macosx_12_0_arm64", "macosx_11_0_arm64"),
}
"""Blender's names of platforms, and the registry's."""

SYSTEMS = {"linux-x64": "linux", "windows-x64": "win32", "macos-arm64": "darwin"}
"""Python's names of the platforms' systems."""

SERIES = {"3.11": ("4.5.0", "5.1.0"), "3.13": ("5.1.0", None)}
"""The first version of Blender with a series of Python, and the first without it."""

LIBRARIES = ("scipy", "lark")
COMPILER = ("numba", "llvmlite")
"""Needed by a wheel of Segue that holds no machine code."""


def manifest(wheels: list[str], platform: str, series: str) -> str:
    """Return the manifest with wheels, platform and versions of Blender."""
    text = (PACKAGE / "blender_manifest.toml").read_text(encoding="utf-8")
    least, beyond = SERIES[series]
    listed = "\n".join(f'  "./wheels/{name}",' for name in sorted(wheels))
    lines = [f'blender_version_min = "{least}"']
    if beyond:
        lines.append(f'blender_version_max = "{beyond}"')
    lines += [f'platforms = ["{platform}"]', f"wheels = [\n{listed}\n]"]
    return text.replace('blender_version_min = "4.5.0"', "\n".join(lines))


def download(folder: Path, platform: str, series: str, names: tuple[str, ...]) -> None:
    """Put the newest wheels of libraries for a platform into a folder; Blender brings NumPy itself."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    command += ["--python-version", series, "--implementation", "cp", "--dest", str(folder)]
    for tag in PLATFORMS[platform]:
        command += ["--platform", tag]
    subprocess.run([*command, *names], check=True)


def own_wheel(out: Path, platform: str, series: str, *, pure: bool = False) -> Path:
    """Build Segue's wheel, with machine code if this Python is of the platform and the series; return its path.

    pure: never with machine code. A wheel that was built before is returned as it is: remove the folder to build anew.
    """
    here = f"{sys.version_info.major}.{sys.version_info.minor}" == series and sys.platform == SYSTEMS[platform]
    native = here and not pure
    folder = out / "own" / (f"{platform}-{series}" if native else "pure")
    if not list(folder.glob("segue-*.whl")):
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder)]
        environment = {**os.environ, "SEGUE_MACHINE_CODE": "1" if native else "0"}
        subprocess.run([*command, str(HERE.parent)], check=True, env=environment)
    return next(iter(folder.glob("segue-*.whl")))


def build(out: Path, platform: str, series: str, wheel: Path) -> Path:
    """Return the zip of a platform and a series."""
    wheels = out / "wheels" / f"{platform}-{series}"
    wheels.mkdir(parents=True, exist_ok=True)
    pure = "py3-none-any" in wheel.name
    missing = [each for each in (*LIBRARIES, *(COMPILER if pure else ())) if not list(wheels.glob(f"{each}-*.whl"))]
    if missing:
        download(wheels, platform, series, tuple(missing))
    for old in wheels.glob("segue-*.whl"):
        old.unlink()
    shutil.copy(wheel, wheels)
    names = [path.name for path in wheels.glob("*.whl") if pure or not path.name.startswith(COMPILER)]
    target = out / f"segue-{platform}-python{series}.zip"
    beside = target.with_suffix(".part")
    with zipfile.ZipFile(beside, "w") as made:
        for path in sorted(PACKAGE.glob("*.py")):
            made.write(path, path.name, zipfile.ZIP_DEFLATED)
        made.write(HERE / "LICENSE", "LICENSE", zipfile.ZIP_DEFLATED)
        made.writestr("blender_manifest.toml", manifest(names, platform, series), zipfile.ZIP_DEFLATED)
        for name in sorted(names):
            made.write(wheels / name, f"wheels/{name}", zipfile.ZIP_STORED)
    beside.replace(target)
    return target


def main() -> None:
    """Build what the command line asks for."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--out", type=Path, default=HERE.parent / "out" / "blender")
    given.add_argument("--platform", choices=PLATFORMS, action="append")
    given.add_argument("--python", choices=SERIES, action="append")
    given.add_argument("--pure", action="store_true", help="no machine code in Segue's wheel, numba instead")
    asked = given.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    for series in asked.python or SERIES:
        for platform in asked.platform or PLATFORMS:
            made = build(asked.out, platform, series, own_wheel(asked.out, platform, series, pure=asked.pure))
            print(f"{made}: {made.stat().st_size / 1e6:.0f} MB", flush=True)


if __name__ == "__main__":
    main()
