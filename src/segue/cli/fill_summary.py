"""Reports on filled gaps: a table for the terminal, data for a file, a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table

from segue.cli.console import output, say
from segue.motion.fills import FillReport
from segue.motion.motion import Motion
from segue.motion.track_table import parts_of
from segue.plausibility import Observed, examine, observe

if TYPE_CHECKING:
    from segue.view.picture import Picture


_AROUND = 0.2  # s on either side of a gap in which seams are checked
_BESIDE, _COMPARED = 0.05, 3.0  # s next to a gap that belong to its seams, and s beyond for comparison
_SHOWN = 0.5  # s on either side of a gap that a picture shows
_EXPOSURES = 9


def facts(motion: Motion) -> dict[str, Any]:
    """Return how every gap was filled, with measures of the gap and of the motion beside it."""
    seen, found = observe(motion), motion.fills
    described = []
    for k, fill in enumerate(found):
        length = fill.stop - fill.start + 2 * _AROUND
        opens, closes = fill.start - _AROUND, fill.stop + _AROUND
        # the motion beside a gap must be the source, not another gap
        earliest = found[k - 1].stop + _AROUND if k else -np.inf
        latest = found[k + 1].start - _AROUND if k + 1 < len(found) else np.inf
        measures = {
            "seam": _measured(seen, opens, closes),
            "before": _measured(seen, max(opens - length, earliest), opens),
            "after": _measured(seen, closes, min(closes + length, latest)),
        }
        described.append(fill.to_dict() | {"plausibility": measures})
    return {"duration_s": motion.duration, "fps": motion.fps, "fills": described}


def faults(motion: Motion) -> list[str]:
    """Return a sentence for each fault in the filled frames that exceeds what the motion shows beside them."""
    seen, found = observe(motion), motion.fills
    if not found:
        return []
    failed: dict[str, str] = {}
    for fill in found:
        opens, closes = max(fill.start - _BESIDE, motion.start), min(fill.stop + _BESIDE, motion.stop)
        around = [(max(opens - _COMPARED, motion.start), opens), (closes, min(closes + _COMPARED, motion.stop))]
        beside = [examine(seen, *span).findings for span in around if _has_frames(seen, *span)]
        for finding in examine(seen, opens, closes).faults:
            usual = [other.value for found in beside for other in found if other.option == finding.option]
            if finding.value > max(usual, default=0.0):
                failed.setdefault(finding.measure, str(finding))
    return list(failed.values())


def _has_frames(seen: Observed, start: float, stop: float) -> bool:
    return bool(((seen.times >= start) & (seen.times <= stop)).any())


def _measured(seen: Observed, start: float, stop: float) -> dict[str, Any] | None:
    """Return the measures of a window of time; None where no frame lies in it."""
    if not _has_frames(seen, start, stop):
        return None
    found = examine(seen, start, stop)
    problems = found.problems()
    return found.to_dict() | {"plausible": not problems, "problems": problems}


def pictured(motions: Mapping[str, Motion]) -> Picture:
    """Return exposures of a motion around its fills; of several motions, each with its origin."""
    from segue.view.comparison import arrange  # pictures need a library that is slow to import

    if len(motions) == 1:
        return _exposures(*motions.values())
    return arrange([{f"{name}: {origin_of(motion)}": _exposures(motion)} for name, motion in motions.items()])


def _exposures(motion: Motion) -> Picture:
    from segue.view.strips import plot_fills

    found = motion.fills
    start = max(min(fill.start for fill in found) - _SHOWN, motion.start)
    stop = min(max(fill.stop for fill in found) + _SHOWN, motion.stop)
    return plot_fills(motion, found, times=[float(time) for time in np.linspace(start, stop, _EXPOSURES)])


def origin_of(motion: Motion) -> str:
    """Return the origins of the fills of a motion, in words."""
    origins = []
    for fill in motion.fills:
        if fill.match is None:
            origins.append("least effort")
        elif len(fill.match.used_clips) == 1:
            origins.append(f"{fill.match.confidence}, as {fill.match.used_clips[0]}")
        else:
            origins.append(str(fill.match))
    return "; ".join(origins)


def show(found: Sequence[FillReport], *, misses: bool = True) -> None:
    """Print how gaps were filled; misses: also print why a fill uses no clips."""
    for fill in found:
        _show(fill, misses)


def _show(fill: FillReport, misses: bool) -> None:
    table = Table(show_header=False, box=None, pad_edge=False)
    parts = ", ".join(part.replace("_", " ") for part in parts_of(fill.tracks))
    table.add_row("filled", f"{fill.stop - fill.start:.2f} s, from {fill.start:.2f} to {fill.stop:.2f} s: {parts}")
    for support in fill.supports:
        strays = "" if support.moved is None else f", strays {100 * support.moved:.1f} cm"
        point = support.point.replace("_", " ")
        table.add_row("held", f"{point} from {support.start:.2f} to {support.stop:.2f} s{strays}")
    if not fill.supports:
        table.add_row("held", "no point: none stays where it rests before or after")
    from_clips = fill.match is not None and fill.match.share > 0.0
    if fill.iterations:
        # people do not move by least effort, so more effort is no fault if clips are used
        change = "follows the proposal" if from_clips else f"{fill.energy / fill.start_energy - 1.0:+.1%}"
        table.add_row("energy", f"{fill.energy:.4g}, by interpolation {fill.start_energy:.4g} ({change})")
    if fill.match is not None and (from_clips or misses):
        table.add_row("prior", str(fill.match))
    prepared, solved = (1000.0 * seconds for seconds in fill.seconds)
    count = f"{fill.coefficients} coefficients a joint, {fill.iterations} iterations, {fill.status}"
    table.add_row("solve", f"{prepared + solved:.1f} ms: {count}")
    output.print(table)
    for note in fill.notes:
        say(note)
