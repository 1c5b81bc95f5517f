"""Build machine code into the wheel if SEGUE_MACHINE_CODE=1 is in the environment, as it is for releases.

All other wheels are pure and require numba, which compiles kernels when they are first used: so `pip install .` takes
seconds, not minutes. Machine code needs Linux, a C compiler and Python's headers; without them the wheel is pure, too.
The README gets addresses for its links where SEGUE_URL names the repository.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

COMPILER = ["numba>=0.60", "numpy>=2", "scipy>=1.12", "lark>=1.1.9"]  # all that compiling imports
OLDEST_GLIBC = 17  # of manylinux_2_17, the first name of its kind


def wanted() -> bool:
    """Whether the wheel is to have machine code, and this machine can link it."""
    header = Path(sysconfig.get_path("include")) / "Python.h"
    return (
        os.environ.get("SEGUE_MACHINE_CODE") == "1"
        and sys.platform == "linux"
        and sys.implementation.name == "cpython"
        and platform.machine() in ("x86_64", "aarch64")
        and header.is_file()
        and bool(shutil.which("cc") or shutil.which("gcc"))
    )


class Readme(MetadataHookInterface):
    """Writes the README for the page of the package index, whose links and pictures need addresses.

    The address of the repository comes from SEGUE_URL; without it links stay relative, and there are no project.urls.
    """

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the README and the addresses."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        url = os.environ.get("SEGUE_URL", "").rstrip("/")
        if url:
            text = with_addresses(text, url)
            metadata["urls"] = {"Source": url, "Changelog": f"{url}/blob/main/CHANGELOG.md"}
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def with_addresses(text: str, url: str) -> str:
    """Return Markdown with links to files of a repository as addresses: pictures raw, pages as the site shows them."""
    text = re.sub(r"(!\[[^\]]*\]\()(?!\w+:|#)", rf"\g<1>{url}/raw/main/", text)
    return re.sub(r"((?<!!)\[[^\]]*\]\()(?!\w+:|#)", rf"\g<1>{url}/blob/main/", text)


class MachineCode(BuildHookInterface[Any]):
    """Adds the module `segue.compiled.machine._machine` to the wheel."""

    def dependencies(self) -> list[str]:
        """Return what the build needs."""
        return COMPILER if wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile and link; kernels that have not changed since the last build come from the folder `build`."""
        if version == "editable" or not wanted():
            build_data["dependencies"].append(COMPILER[0])
            return
        name = f"_machine.{sysconfig.get_config_var('SOABI')}.so"
        target = Path(self.root, "build", "machine", name)
        # installers isolate the build by a path of their own
        path = os.pathsep.join([str(Path(self.root, "src")), *filter(None, [os.environ.get("PYTHONPATH")])])
        settings = {"PYTHONPATH": path, "NUMBA_CACHE_DIR": str(Path(self.root, "build", "kernels"))}
        command = [sys.executable, "-m", "segue.compiled.build", str(target)]
        subprocess.run(command, env=os.environ | settings, check=True)
        build_data["force_include"][str(target)] = f"segue/compiled/machine/{name}"
        build_data["pure_python"] = False
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        build_data["tag"] = f"{python}-{python}-{_platform(target)}"


def _platform(module: Path) -> str:
    """Return the platform's part of the wheel's name: the oldest glibc that has all functions that the module calls."""
    needed = [int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", module.read_bytes())]
    if platform.libc_ver()[0] != "glibc":
        return f"linux_{platform.machine()}"
    return f"manylinux_2_{max([OLDEST_GLIBC, *needed])}_{platform.machine()}"
