"""Build the extension: one zip for each platform and Python series, with wheels as they come from the registry.

python blender/build.py --out out/blender [--platform linux-x64] [--python 3.11]
"""

from __future__ import annotations

import argparse
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


def own_wheel(folder: Path, series: str, python: str) -> Path:
    """Build Segue's wheel, or return the one for a series that is in the folder already."""
    tag = f"cp{series.replace('.', '')}"
    found = [path for path in folder.glob("segue-*.whl") if tag in path.name or "py3-none-any" in path.name]
    if found:
        return found[0]
    subprocess.run(
        [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(HERE.parent)], check=True
    )
    return next(iter(folder.glob("segue-*.whl")))


def build(out: Path, platform: str, series: str, wheel: Path) -> Path:
    """Return the zip of a platform and a series."""
    wheels = out / "wheels" / f"{platform}-{series}"
    wheels.mkdir(parents=True, exist_ok=True)
    pure = "py3-none-any" in wheel.name
    missing = [each for each in (*LIBRARIES, *(COMPILER if pure else ())) if not list(wheels.glob(f"{each}-*.whl"))]
    if missing:
        download(wheels, platform, series, tuple(missing))
    if not (wheels / wheel.name).exists():
        shutil.copy(wheel, wheels)
    names = [path.name for path in wheels.glob("*.whl")]
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
    given.add_argument("--with", dest="python_file", default=sys.executable, help="a Python that builds Segue's wheel")
    asked = given.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    for series in asked.python or SERIES:
        for platform in asked.platform or PLATFORMS:
            wheel = own_wheel(asked.out, series, asked.python_file)
            if "none-any" not in wheel.name and not _fits(wheel.name, platform):
                print(f"{platform}, Python {series}: left out, {wheel.name} holds machine code of another platform")
                continue
            made = build(asked.out, platform, series, wheel)
            print(f"{made}: {made.stat().st_size / 1e6:.0f} MB")


def _fits(wheel: str, platform: str) -> bool:
    """Return whether a wheel with machine code is for a platform."""
    words = {"linux-x64": ("linux", "x86_64"), "windows-x64": ("win_amd64",), "macos-arm64": ("macosx", "arm64")}
    return all(word in wheel for word in words[platform])


if __name__ == "__main__":
    main()
