"""The one folder that a script can read and write, with its subfolders."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from pathlib import Path, PurePosixPath

from segue.checks import near_names
from segue.errors import ArgumentError, printable
from segue.io.files import READERS, written_suffixes

# names of devices on Windows, in any folder and with any suffix
_DEVICES = frozenset({"con", "prn", "aux", "nul"} | {f"{port}{k}" for port in ("com", "lpt") for k in range(10)})


class Workspace:
    """A folder that paths in scripts are relative to and must stay in, links followed."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = (folder or Path.cwd()).resolve()
        self.opened: list[Path] = []
        """Files that were opened, for those who remember values."""

    def to_read(self, name: str) -> Path:
        """Return the path of a clip to read; raise if the script may not read it."""
        path = self._inside(name, READERS, "read")
        if not os.path.isfile(path):  # false, not an error, for names too long for any file
            near = self.files_like(name)
            raise ArgumentError(
                f"there is no file '{name}' below the folder the script is run in"
                + (f": did you mean {' or '.join(near)}?" if near else "")
            )
        self.opened.append(path)
        return path

    def to_open(self, name: str) -> Path:
        """Return the path of a file of any kind to open; raise if the script may not open it."""
        path = self._resolved(name)
        if not os.path.isfile(path):
            raise ArgumentError(f"there is no file '{printable(name)}' below the folder the script is run in")
        self.opened.append(path)
        return path

    def inside(self, name: str) -> Path:
        """Return the path of a file or folder that is there; raise if it lies outside the workspace's folder."""
        path = self.folder if name in ("", ".") else self._resolved(name)
        if not os.path.exists(path):
            raise ArgumentError(f"there is no file '{printable(name)}' below the folder the script is run in")
        return path

    def to_write(self, name: str, suffixes: Collection[str] | None = None) -> Path:
        """Return the path of a clip or of a file with another suffix to write; raise if the script may not write it."""
        path = self._inside(name, written_suffixes() if suffixes is None else suffixes, "written")
        if not os.path.isdir(path.parent):
            raise ArgumentError(f"there is no folder for '{name}': create it first")
        if os.path.lexists(path) and not os.path.isfile(path):
            raise ArgumentError(f"'{name}' is no ordinary file: choose another name")
        return path

    def files_like(self, name: str) -> list[str]:
        """Return names of clips in the same folder that are spelt similarly."""
        folder = PurePosixPath(name).parent
        beside = [item for item in self.entries(folder.as_posix()) if not item.endswith("/")]
        return near_names(name, [(folder / item).as_posix() for item in beside], 2)

    def entries(self, below: str = "") -> list[str]:
        """Return names in a folder of the workspace: clips, and folders with a slash; none outside the workspace."""
        try:
            folder = self._resolved(below) if below not in ("", ".") else self.folder
            found = sorted(folder.iterdir())[:1000]
        except (ArgumentError, OSError):
            return []
        folders = [f"{item.name}/" for item in found if item.is_dir() and not item.name.startswith(".")]
        return folders + [item.name for item in found if item.suffix.lower() in READERS and item.is_file()]

    def _inside(self, name: str, suffixes: Collection[str], done: str) -> Path:
        path = self._resolved(name)
        if path.suffix.lower() not in suffixes or PurePosixPath(name).suffix.lower() not in suffixes:
            raise ArgumentError(
                f"'{printable(name)}' cannot be {done} here: the name must end in one of {', '.join(sorted(suffixes))}"
            )
        return path

    def _resolved(self, name: str) -> Path:
        """Return the real path of a path; raise if it leads out of the folder."""
        shown = printable(name)
        if not name or not name.isprintable():
            raise ArgumentError(f"'{shown}' is not the name of a file")
        relative = PurePosixPath(name)
        outside = ArgumentError(
            f"'{shown}' lies outside the folder the script is run in: scripts read and write only below it"
        )
        if relative.is_absolute() or ".." in relative.parts or name.startswith("~") or re.match(r"[A-Za-z]:", name):
            raise outside
        if "\\" in name or ":" in name:
            raise ArgumentError(
                f"'{shown}' is not the name of a file here: write folders with '/', and no ':' in names"
            )
        if any(part.split(".")[0].strip().lower() in _DEVICES for part in relative.parts):
            raise ArgumentError(f"'{shown}' is the name of a device on some systems: choose another name")
        try:
            path = (self.folder / relative).resolve()
        except (OSError, RuntimeError) as error:
            raise ArgumentError(f"'{shown}' leads nowhere: its links form a loop, or its name is too long") from error
        if not path.is_relative_to(self.folder):
            raise outside
        return path
