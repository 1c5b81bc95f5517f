"""What `segue plot` draws: every kind of picture of a clip or a script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from segue import view
from segue.cli.run import read_script
from segue.cli.source import load_clip, names_clip
from segue.errors import ArgumentError
from segue.filesystem import writable_target
from segue.language import Session, parse
from segue.language.operators_seen import operator_of
from segue.motion.motion import Motion
from segue.view.picture import Picture, check_suffix

__all__ = ["draw"]

_OF_MOTION: dict[str, Callable[[Motion], Picture]] = {
    "strip": lambda motion: view.strip(motion.figure, motion.poses, fps=motion.fps),
    "film": lambda motion: view.filmstrip(motion.figure, motion.poses, fps=motion.fps),
    "curves": lambda motion: view.curves(motion.poses, fps=motion.fps),
    "footprints": lambda motion: view.footprints(motion.figure, motion.poses, fps=motion.fps),
    "timeline": view.timeline,
}


def draw(source: str, kinds: set[str], out: Path) -> None:
    """Draw a clip or a script; whether the file can be written is checked before any work is done."""
    check_suffix(out)
    writable_target(out)
    _picture(source, kinds).save(out)


def _picture(source: str, kinds: set[str]) -> Picture:
    if names_clip(source):
        if "tree" in kinds:
            raise ArgumentError(f"{source} is a clip and has no operators: a tree is drawn of a script")
        return _OF_MOTION[next(iter(kinds))](Motion.from_clip(load_clip(source)))
    text = read_script(Path(source))
    if kinds == {"tree"}:
        return view.operator_tree(operator_of(parse(text, source)))
    motion = Session(say=print).run(text, source)
    if not isinstance(motion, Motion):
        raise ArgumentError(f"{source} does not end in a motion: there is nothing to draw")
    if "tree" in kinds:
        return view.composition(operator_of(parse(text, source)), motion)
    return _OF_MOTION[next(iter(kinds))](motion)
