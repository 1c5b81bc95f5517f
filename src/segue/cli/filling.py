"""What `segue transition` and `segue fill` share: options, the report, and the summary."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from rich.table import Table

from segue import io
from segue.cli.console import output, progress_bar, say
from segue.errors import ArgumentError
from segue.files import save
from segue.filesystem import atomic_write, writable_target
from segue.language.filling import supports_of
from segue.motion.motion import Motion
from segue.motion.rows import parts_of
from segue.plausibility import Observed, examine, observe
from segue.spacetime.objectives import OBJECTIVES
from segue.transition import FillReport, Options, fills
from segue.transition.options import OptionNames

if TYPE_CHECKING:
    from segue.view.picture import Picture

__all__ = [
    "Coefficients",
    "Objective",
    "Out",
    "Plot",
    "Rate",
    "Report",
    "Support",
    "check_outputs",
    "deliver",
    "options_given",
]

Out = Annotated[Path, typer.Option("-o", "--out", metavar="OUT", help="The file: .bvh, .glb, .usd, .usda or .usdc.")]
Report = Annotated[
    Path | None, typer.Option(metavar="JSON", help="Write how gaps were filled, and how plausible that is.")
]
Objective = Annotated[str, typer.Option(metavar="NAME", help=f"What to minimise: {', '.join(OBJECTIVES)}.")]
Coefficients = Annotated[
    int | None, typer.Option(metavar="N", help="Spline coefficients a joint; by the gap's length if not given.")
]
Support = Annotated[
    list[str] | None,
    typer.Option(
        metavar="POINT=CHOICE,...", help="Hold left_foot, right_hand, left_heel, ...: auto, enforce or never."
    ),
]
Rate = Annotated[float | None, typer.Option("--fps", metavar="RATE", help="Write so many frames a second.")]
Plot = Annotated[Path | None, typer.Option(metavar="FILE", help="Draw what was filled: .png, .svg or .pdf.")]

_AROUND = 0.2  # s on either side of a gap in which its seams would show
_SHOWN = 0.5  # s on either side of a gap that a picture shows
_EXPOSURES = 9


def options_given(objective: str, coefficients: int | None, support: list[str] | None) -> OptionNames:
    """Return the options of the command line, checked before any file is read."""
    chosen = Options(objective, coefficients, supports_of(",".join(support)) if support else {})
    return {"objective": chosen.objective, "coefficients": chosen.coefficients, "supports": chosen.supports}


def check_outputs(out: Path, report: Path | None, plot: Path | None) -> None:
    """Raise where a file could not be written, before any work is done."""
    io.check_writable(out)
    targets = [writable_target(out)]
    if plot is not None:
        from segue.view.picture import check_suffix  # pictures need a library that is slow to import

        check_suffix(plot)
    for path in (report, plot):
        if path is not None:
            target = writable_target(path)
            if target in targets:
                raise ArgumentError(f"{path} is to be written twice: give each file a name of its own")
            targets.append(target)


def deliver(motion: Motion, out: Path, *, fps: float | None, report: Path | None, plot: Path | None) -> None:
    """Write a motion whose gaps were filled, with report and picture where asked for, and print a summary."""
    found = fills(motion)
    with progress_bar(f"Writing {out.name}"):
        facts = None if report is None else _facts(motion, found)
        picture = None if plot is None else _picture(motion, found)
        save(motion, out, fps=fps)
        if report is not None:
            with atomic_write(report) as beside:
                beside.write_text(json.dumps(facts, indent=2, allow_nan=False) + "\n", encoding="utf-8")
        if plot is not None and picture is not None:
            picture.save(plot)
    for each in found:
        _show(each)
    say(f"{out}: {motion.duration:.2f} s at {motion.fps if fps is None else fps:g} frames a second")


def _facts(motion: Motion, found: Sequence[FillReport]) -> dict[str, Any]:
    """Return how every gap was filled, and how plausible it is beside the motion before and after it."""
    seen = observe(motion)
    described = []
    for k, fill in enumerate(found):
        length = fill.stop - fill.start + 2 * _AROUND
        opens, closes = fill.start - _AROUND, fill.stop + _AROUND
        # what is next to it must be motion as it came, not another gap
        earliest = found[k - 1].stop + _AROUND if k else -np.inf
        latest = found[k + 1].start - _AROUND if k + 1 < len(found) else np.inf
        measures = {
            "seam": _measured(seen, opens, closes),
            "before": _measured(seen, max(opens - length, earliest), opens),
            "after": _measured(seen, closes, min(closes + length, latest)),
        }
        described.append(fill.to_dict() | {"plausibility": measures})
    return {"duration_s": motion.duration, "fps": motion.fps, "fills": described}


def _measured(seen: Observed, start: float, stop: float) -> dict[str, Any] | None:
    """Return the measures of a window of time; None where no frame lies in it."""
    if not ((seen.times >= start) & (seen.times <= stop)).any():
        return None
    found = examine(seen, start, stop)
    problems = found.problems()
    return found.to_dict() | {"plausible": not problems, "problems": problems}


def _picture(motion: Motion, found: Sequence[FillReport]) -> Picture:
    from segue.view.filled import filled  # pictures need a library that is slow to import

    start = max(min(fill.start for fill in found) - _SHOWN, motion.start)
    stop = min(max(fill.stop for fill in found) + _SHOWN, motion.stop)
    return filled(motion, found, times=[float(time) for time in np.linspace(start, stop, _EXPOSURES)])


def _show(fill: FillReport) -> None:
    table = Table(show_header=False, box=None, pad_edge=False)
    parts = ", ".join(part.replace("_", " ") for part in parts_of(fill.tracks))
    table.add_row("filled", f"{fill.stop - fill.start:.2f} s, from {fill.start:.2f} to {fill.stop:.2f} s: {parts}")
    for support in fill.supports:
        strays = "" if support.moved is None else f", strays {100 * support.moved:.1f} cm"
        point = support.point.replace("_", " ")
        table.add_row("held", f"{point} from {support.start:.2f} to {support.stop:.2f} s{strays}")
    if not fill.supports:
        table.add_row("held", "no point: none stays where it rests before or after")
    if fill.iterations:
        change = fill.energy / fill.start_energy - 1.0
        table.add_row("energy", f"{fill.energy:.4g}, by interpolation {fill.start_energy:.4g} ({change:+.1%})")
    prepared, solved = (1000.0 * seconds for seconds in fill.seconds)
    count = f"{fill.coefficients} coefficients a joint, {fill.iterations} iterations, {fill.status}"
    table.add_row("solve", f"{prepared + solved:.1f} ms: {count}")
    output.print(table)
    for note in fill.notes:
        say(note)
