"""`segue check`: whether a body with mass could move like this."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from segue.cli.console import output, progress_bar, say
from segue.cli.pictures import check_picture
from segue.cli.run import read_script
from segue.cli.source import MapFile, Mass, Scale, Sex, Up, load_motion, names_clip
from segue.errors import ArgumentError
from segue.language import Session
from segue.motion.motion import Motion
from segue.motion.take import Take
from segue.plausibility import Plausibility, Thresholds, examine, observe

__all__ = ["check"]

_USUAL = Thresholds()


def check(
    source: Annotated[str, typer.Argument(metavar="CLIP_OR_SCRIPT", help="A clip, clips.NAME, or a script's file.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    start: Annotated[float | None, typer.Option("--from", metavar="T", help="Look from this time on, in s.")] = None,
    stop: Annotated[float | None, typer.Option("--to", metavar="T", help="Look up to this time, in s.")] = None,
    floor: Annotated[float | None, typer.Option(metavar="M", help="The floor's height; found if not given.")] = None,
    slide: Annotated[
        float, typer.Option("--max-slide", metavar="CM", help="How far a planted foot may slide.")
    ] = _USUAL.slide_cm,
    penetration: Annotated[
        float, typer.Option("--max-penetration", metavar="CM", help="How deep a foot may be in the floor.")
    ] = _USUAL.penetration_cm,
    limit: Annotated[
        float, typer.Option("--max-limit", metavar="DEG", help="How far a joint may be beyond its limit.")
    ] = _USUAL.limit_deg,
    bend: Annotated[
        float, typer.Option("--max-bend", metavar="DEG", help="The same for knees and elbows.")
    ] = _USUAL.bend_deg,
    jump: Annotated[
        float, typer.Option("--max-jump", metavar="DEG", help="How far a joint may jump in a frame.")
    ] = _USUAL.jump_deg,
    root_jump: Annotated[
        float, typer.Option("--max-root-jump", metavar="CM", help="How far the root may jump in a frame.")
    ] = _USUAL.jump_cm,
    jerk: Annotated[
        float, typer.Option("--max-jerk", metavar="M/S^3", help="The jerk of hands, feet, head and hips.")
    ] = _USUAL.jerk,
    flight_error: Annotated[
        float, typer.Option("--max-flight-error", metavar="M/S^2", help="How far flights may be from free fall.")
    ] = _USUAL.flight_error,
    torque: Annotated[
        float, typer.Option("--max-torque", metavar="TIMES", help="Torques as a multiple of human strength.")
    ] = _USUAL.effort,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it over time: .png, .svg or .pdf.")] = None,
    mass: Mass = None,
    sex: Sex = "average",
    scale: Scale = None,
    up: Up = None,
    map_file: MapFile = None,
) -> None:
    """Say whether a body with mass could move like this: feet, floor, limits, jumps, flight and torques.

    The exit code is 1 if anything is above its threshold, 0 if not, 2 if the input is bad.

    Example: segue check walk.bvh --max-slide 3 --json
    """
    most = Thresholds(slide, penetration, limit, bend, jump, root_jump, jerk, flight_error, torque)
    if plot is not None:
        check_picture(plot)
    motion = _load(source, scale=scale, up=up, map_file=map_file, mass=mass, sex=sex)
    seen = observe(motion, floor)
    found = examine(seen, start, stop)
    problems = found.problems(most)
    if plot is not None:
        from segue.view.check import checked  # pictures need a library that is slow to import

        checked(seen, found, most).save(plot)
    if as_json:
        # JSON has no infinity: what has no threshold has none
        limits = {name: value if math.isfinite(value) else None for name, value in asdict(most).items()}
        verdict = {"plausible": not problems, "problems": problems, "thresholds": limits}
        print(json.dumps(found.to_dict() | verdict, indent=2, allow_nan=False))
    else:
        _show(found, most)
    if problems:
        raise typer.Exit(1)


def _load(
    source: str, *, scale: float | None, up: str | None, map_file: Path | None, mass: float | None, sex: str
) -> Motion:
    """Return the motion of a clip, or what a script gives."""
    if names_clip(source):
        return load_motion(source, scale=scale, up=up, map_file=map_file, mass=mass, sex=sex)
    value = Session(say=lambda _: None).run(read_script(Path(source)), source)
    if not isinstance(value, Motion):
        raise ArgumentError(f"{source} does not end in a motion: there is nothing to check")
    if isinstance(value.host, Take):
        with progress_bar("Fitting") as advance:
            value.fit(advance)
    return value


def _show(found: Plausibility, most: Thresholds) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("measure")
    for column in ("value", "at most"):
        table.add_column(column, justify="right")
    for column in ("", "verdict", "where"):
        table.add_column(column)
    checks = found.checks(most)
    for each in checks:
        verdict = Text("ok", style="green") if each.passed else Text("too much", style="bold red")
        table.add_row(each.name, f"{each.value:.1f}", f"{each.most:g}", each.unit, verdict, each.where)
    output.print(table)
    failed = sum(not each.passed for each in checks)
    span = f"{found.start:.2f} to {found.stop:.2f} s, {found.frames} frame{'' if found.frames == 1 else 's'}"
    say(f"{span}: {'plausible' if not failed else f'{failed} of {len(checks)} measures too large'}")
