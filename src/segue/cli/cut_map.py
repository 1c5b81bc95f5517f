"""The picture of `segue transition --map`: how unlike two clips are, and where they were cut."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from segue.filling.cut_times import Window
from segue.filling.cutting import CutPoint, distance_map
from segue.motion.fills import FillReport
from segue.motion.motion import Motion

if TYPE_CHECKING:
    from segue.view.picture import Picture


def map_of(
    first: Motion,
    second: Motion,
    fill: FillReport,
    cuts: Sequence[CutPoint],
    *,
    windows: tuple[Window, Window],
    names: tuple[str, str],
    mode: str,
) -> Picture:
    """Return the distances of two motions for transitions as long as the one that was made.

    cuts: those that were found, the one that was made first; where none was looked for, it is where the windows are.
    names: of the clips on the command line.
    """
    from segue.view.distance_map import distance_map as draw  # pictures need a library that is slow to import

    duration = fill.stop - fill.start
    compared = distance_map(first, second, duration, mode=mode)
    if not cuts:
        leave, enter = windows[0][0], windows[1][0]
        distance = compared.at(leave, enter)
        cuts = [CutPoint(leave, enter, duration, distance, fill.energy * duration, fill.notes)]
    first_name, second_name = (Path(name).stem if os.path.isfile(name) else name for name in names)
    return draw(first, second, compared, cuts, windows=windows, names=(first_name, second_name))
