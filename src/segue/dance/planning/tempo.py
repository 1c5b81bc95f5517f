"""How people say a tempo: bars a minute, or beats a minute."""

from __future__ import annotations

import math
import re

from segue.dance.planning.model import Tempo
from segue.errors import ArgumentError

__all__ = ["FASTEST", "SLOWEST", "checked_tempo", "read_tempo"]

SLOWEST, FASTEST = 1.0, 240.0
"""Bars a minute that are danced, at least and at most."""


def read_tempo(text: str, beats_per_bar: int) -> Tempo:
    """Return the tempo that a text says: "30" is bars a minute, "120bpm" beats a minute."""
    said = re.fullmatch(r"\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)\s*(bpm|bars?)?\s*", text.casefold())
    if said is None:
        raise ArgumentError(f"the tempo is '{text}': bars a minute are needed, as 30, or beats a minute, as 120bpm")
    number = float(said[1])
    return checked_tempo(Tempo(number / beats_per_bar if said[2] == "bpm" else number, beats_per_bar))


def checked_tempo(tempo: Tempo) -> Tempo:
    """Return a tempo, or say what is wrong with it."""
    if not (math.isfinite(tempo.bars) and SLOWEST <= tempo.bars <= FASTEST):
        raise ArgumentError(
            f"the tempo is {tempo.bars:g} bars a minute: it must lie between {SLOWEST:g} and {FASTEST:g}"
        )
    if tempo.beats_per_bar < 1:
        raise ArgumentError(f"the tempo has {tempo.beats_per_bar} beats a bar: there must be at least one")
    return tempo
