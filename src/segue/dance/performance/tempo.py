"""Tempi as people write them: bars a minute, or beats a minute."""

from __future__ import annotations

import math
import re

from segue.dance.planning.model import Tempo
from segue.errors import ArgumentError

__all__ = ["read_tempo"]

_WRITTEN = re.compile(r"(?P<number>\d+(?:\.\d*)?|\.\d+)\s*(?P<unit>bpm|mpm|beats?|bars?)?", re.IGNORECASE)


def read_tempo(written: str | float, beats_per_bar: int) -> Tempo:
    """Return the tempo that is written as "30" or 30 (bars a minute), or as "120bpm" (beats a minute)."""
    match = _WRITTEN.fullmatch(str(written).strip())
    number = float(match["number"]) if match else math.nan
    if match is None or not 0 < number < math.inf:
        raise ArgumentError(f"the tempo is '{written}': bars a minute such as 30, or beats a minute such as 120bpm")
    in_beats = (match["unit"] or "").lower() in ("bpm", "beat", "beats")
    return Tempo(number / beats_per_bar if in_beats else number, beats_per_bar)
