"""Write couples as two clips, or as one scene or page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from segue import io
from segue.dance.notation.model import Part
from segue.dance.performance.couple import CoupleMotions, couple_clip
from segue.files import save
from segue.filesystem import writable_target
from segue.motion.motion import Motion

PAGES = (".html", ".htm")
"""Suffixes of web pages."""


def checked_files(out: Path, couple: bool) -> tuple[Path, ...]:
    """Check and return the files that will be written."""
    suffix = out.suffix.lower()
    if couple and suffix == ".bvh":
        files: tuple[Path, ...] = tuple(out.with_name(f"{out.stem}_{part}{out.suffix}") for part in Part)
    else:
        files = (out,)
    for file in files:
        (writable_target if suffix in PAGES else io.check_writable)(file)
    return files


def write_couple(danced: CoupleMotions, files: tuple[Path, ...], fps: float | None = None) -> None:
    """Write both motions to the files that `checked_files` found; fps: of clips, the motions' own if not given."""
    if files[0].suffix.lower() in PAGES:
        write_page(files[0], danced.motions)
    elif len(files) == 1:
        io.write(couple_clip(danced, fps), files[0], scale=1.0, up="Y")
    else:
        for motion, file in zip(danced.motions.values(), files, strict=True):
            save(motion, file, fps=fps)


def write_page(out: Path, motions: Mapping[str, Motion]) -> None:
    """Write a page that shows motions together."""
    from segue.view.web import page  # pages need a library that is slow to import

    page(dict(motions), together=True).save(out)
