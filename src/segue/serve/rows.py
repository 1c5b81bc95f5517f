"""The rows of the time line: what defines the body, a limb or a joint, and when."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from segue.body.human import HUMAN
from segue.motion.fills import FillReport
from segue.motion.functions import Blend, Function, Piece
from segue.motion.interval import TINY, Interval, Track
from segue.motion.motion import Motion
from segue.motion.track_table import timeline_rows
from segue.serve.clocks import pieces_of
from segue.serve.preview import Evaluated
from segue.serve.shapes import Row, RowPiece

What = Literal["source", "fill", "blend", "gap", "conflict"]


def origins(made: Evaluated) -> dict[int, str]:
    """Return for each source, by identity, the node whose value is the first to contain it."""
    found: dict[int, str] = {}
    for path, value in made.values.items():
        if isinstance(value, Motion):
            for piece, _, _ in pieces_of(value):
                found.setdefault(id(piece.source), path)
    return found


def rows_of(motion: Motion, nodes: Mapping[int, str]) -> tuple[Row, ...]:
    """Return the rows of a motion's time line; nodes: see `origins`."""
    rows = []
    for label, track in timeline_rows(motion.tracks) if motion.tracks else []:
        name = label.replace(" ", "_")
        joints = HUMAN.groups.get(name, (name,) if name != "whole_body" else HUMAN.joint_names)
        rows.append(Row(label, tuple(joints), tuple(_pieces(track, motion, nodes))))
    return tuple(rows)


def _pieces(track: Track, motion: Motion, nodes: Mapping[int, str]) -> list[RowPiece]:
    pieces: list[RowPiece] = []
    at = motion.start
    for part in track:
        if part.start - at > TINY:
            pieces.append(RowPiece(at, part.start, "gap", "gap"))
        pieces.append(_piece(part, nodes))
        at = part.stop
    if motion.stop - at > TINY:
        pieces.append(RowPiece(at, motion.stop, "gap", "gap"))
    return pieces


def _piece(part: Interval, nodes: Mapping[int, str]) -> RowPiece:
    what, label = _about(part.functions)
    first = part.functions[0]
    node = nodes.get(id(first.source), "") if isinstance(first, Piece) else ""
    return RowPiece(part.start, part.stop, what, label, node)


def _about(functions: tuple[Function, ...]) -> tuple[What, str]:
    if len(functions) > 1:
        return "conflict", f"{len(functions)} motions"
    function = functions[0]
    if isinstance(function, Blend):
        return "blend", "blend"
    if isinstance(function, Piece) and isinstance(getattr(function.source, "report", None), FillReport):
        return "fill", "fill"
    return "source", str(getattr(getattr(function, "source", None), "name", "motion"))
