"""`segue fit`: the 44-DOF figure that follows a clip."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from segue import io
from segue.cli.console import output, progress_bar
from segue.cli.grouping import grouped
from segue.cli.source import ClipName, ReadOptions, load_take
from segue.filesystem import atomic_write
from segue.motion.report import FitReport
from segue.motion.retarget import figure_clip


@grouped
def fit_clip(
    clip: ClipName,
    *,
    report: Annotated[Path | None, typer.Option(metavar="JSON", help="Write the report as JSON.")] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="Write the figure's own motion: .bvh, .glb, ...")
    ] = None,
    options: ReadOptions,
) -> None:
    """Fit the 44-DOF figure to a clip, within joint limits, and say how close it comes.

    Example: segue fit walk.bvh --mass 70 -o figure.glb
    """
    if out is not None:
        io.check_writable(out)
    take = load_take(clip, options)
    with progress_bar("Fitting") as advance:
        fitted = take.fit(advance)
    found = take.report()
    if report is not None:
        with atomic_write(report) as beside:
            beside.write_text(json.dumps(found.to_dict(), indent=2) + "\n", encoding="utf-8")
    if out is not None:
        io.write(figure_clip(fitted.figure, fitted.poses, take.fps), out, scale=1.0, up="Y")
    _show(found)


def _show(report: FitReport) -> None:
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_row("frames", str(report.frames))
    table.add_row(
        "joint distance",
        f"mean {report.mean_cm:.2f} cm, 95 % below {report.p95_cm:.2f} cm, most {report.max_cm:.1f} cm",
    )
    table.add_row("orientation", f"mean {report.mean_deg:.1f} degrees, 95 % below {report.p95_deg:.1f}")
    limits = sorted(report.joints_at_limit.items(), key=lambda item: -item[1])[:4]
    named = ", ".join(f"{name.replace('_', ' ')} {share:.0%}" for name, share in limits)
    table.add_row("at a limit", f"{report.frames_at_limit} frames{f' ({named})' if named else ''}")
    table.add_row("jumps", f"{report.jumps} frames turn more than the clip does")
    table.add_row("body", f"{report.stature:.2f} m, {report.mass:.1f} kg")
    limbs = ", ".join(f"{name.replace('_', ' ')} {100 * length:.1f}" for name, length in report.limbs.items())
    table.add_row("lengths in cm", limbs)
    output.print(table)
