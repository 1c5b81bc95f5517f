"""Files that commands are to draw to."""

from __future__ import annotations

from pathlib import Path

from segue.filesystem import writable_target


def check_picture(path: Path) -> None:
    """Raise where a picture could not be written, before any work is done."""
    from segue.view.picture import check_suffix  # pictures need a library that is slow to import

    check_suffix(path)
    writable_target(path)
