"""Several animations in one file: `walk.fbx#Run` chooses one by its name, `walk.fbx#1` by its number from 0."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from segue.checks import did_you_mean
from segue.errors import FileFormatError, warn_user


def split_take(path: str | Path) -> tuple[str | Path, str | None]:
    """Return the file and the take that a name such as `walk.fbx#Run` means; None without a take.

    A file whose own name has a # in it is taken as it is.
    """
    text = os.fspath(path)
    file, mark, take = text.partition("#")
    while mark and not Path(file).suffix:
        rest, mark, take = take.partition("#")
        file = f"{file}#{rest}"
    if not mark or not take or os.path.lexists(text):
        return path, None
    return file, take


def choose_take(names: Sequence[str], wanted: str | int | None, path: str | Path, what: str) -> int | None:
    """Return the number of the wanted one of a file's animations, the first if none is wanted, None if there is none.

    A name comes before a number. Blender writes "Armature|Run" for the action Run of an armature: the part behind the
    bar chooses it too. what: the format's word, as "take".
    """
    if wanted is None:
        if len(names) > 1:
            more = ", ".join(f"#{name}" for name in names[1:6])
            warn_user(f"{path}: has {len(names)} {what}s, '{names[0]}' is read; others are {more}")
        return 0 if names else None
    if isinstance(wanted, str) and wanted in names:
        return names.index(wanted)
    short = [number for number, name in enumerate(names) if name.rpartition("|")[2] == wanted]
    if len(short) == 1:
        return short[0]
    if str(wanted).isdecimal() and int(wanted) < len(names):
        return int(wanted)
    near = did_you_mean(str(wanted), names) or f"there are {', '.join(names[:20]) or 'none'}"
    raise FileFormatError(f"has no {what} '{wanted}': {near}", path)
