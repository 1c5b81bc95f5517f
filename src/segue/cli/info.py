"""`segue info`, `segue fit` and `segue convert`: describe a clip, fit the figure, convert between formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from segue import io
from segue.cli.console import output, progress_bar, say
from segue.cli.source import ClipName, ReadOptions, ReadOptionsWithoutBody, grouped, load_clip, load_take, unused_name
from segue.filesystem import atomic_write
from segue.io.figure_files import FIGURE_FORMATS
from segue.motion.clip import Clip, take_name
from segue.motion.clip_source import ClipSource
from segue.motion.motion import Motion
from segue.motion.options import ClipOptions, RoleMap
from segue.motion.recognise import at_rate
from segue.motion.report import FitReport
from segue.motion.retarget import figure_clip
from segue.motion.space import stature_note, with_stature
from segue.plausibility import observe


@grouped
def describe_clip(
    clip: ClipName,
    *,
    options: ReadOptionsWithoutBody,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Describe a clip: skeleton, units, frames, the person's height, foot contacts.

    Example: segue info walk.bvh
    """
    facts = _facts(load_take(clip, options))
    if as_json:
        print(json.dumps(facts, indent=2))
        return
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_row("skeleton", f"{facts['family']}, {facts['joints']} joints")
    table.add_row(
        "units", f"{facts['unit']} ({facts['scale']:g} m), {facts['up']} up, faces {facts['facing']} at first"
    )
    aside = f", after {facts['set_aside']} set aside" if facts["set_aside"] else ""
    table.add_row("frames", f"{facts['frames']} at {facts['fps']:g} a second, {facts['duration']:.2f} s{aside}")
    if len(facts["takes"]) > 1:
        takes = (
            f"{'> ' if number == facts['take'] else ''}{number} {name}" for number, name in enumerate(facts["takes"])
        )
        table.add_row("takes", ", ".join(takes))
    table.add_row("stature", f"{facts['stature']:.2f} m")
    for point, spans in facts["contacts"].items():
        shown = ", ".join(f"{start:.2f}-{stop:.2f}" for start, stop in spans[:8])
        more = f", and {len(spans) - 8} more" if len(spans) > 8 else ""
        table.add_row(f"{point.replace('_', ' ')} down", (f"{shown}{more} s" if spans else "never"))
    output.print(table)
    for note in facts["notes"]:
        say(note)
    if facts["times_too_fast"] is not None:
        say(
            f"The frame rate of this clip is probably wrong ({facts['times_too_fast']:.1f} times): "
            f"try --fps-of-source {facts['fps'] / facts['times_too_fast']:g}"
        )


def _facts(take: ClipSource) -> dict[str, Any]:
    origin = take.clip.origin
    contacts: dict[str, list[tuple[float, float]]] = {}
    for contact in take.contacts():
        contacts.setdefault(contact.point, []).append((round(contact.start, 4), round(contact.stop, 4)))
    return {
        "family": take.roles.family,
        "joints": len(take.clip.skeleton),
        "roles": take.roles.named(take.clip.skeleton),
        "unit": take.space.unit,
        "scale": take.space.scale,
        "up": take.space.up,
        "facing": take.space.facing,
        "frames": len(take.clip),
        "set_aside": 0 if take.set_aside is None else len(take.set_aside),
        "fps": take.fps,
        "duration": take.duration,
        "takes": [] if origin is None else list(origin.takes),
        "take": None if origin is None else origin.take,
        "stature": take.space.stature,
        "contacts": contacts,
        "notes": list(take.notes),
        "times_too_fast": observe(Motion.from_source(take)).push.probable_speed(),
    }


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
    """Fit the 44-DOF figure to a clip, within joint limits, and report the distance.

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


@grouped
def convert_clip(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="CLIP...", help="Clips as for info; several of one skeleton become takes of one .glb."),
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write: .bvh, .glb, .usd, .xml, ...")],
    *,
    fps: Annotated[float | None, typer.Option(metavar="RATE", help="Resample to so many frames a second.")] = None,
    drop_tpose: Annotated[
        bool,
        typer.Option("--drop-tpose", help="Leave out a T pose, or other frames, that were added before the motion."),
    ] = False,
    file_format: Annotated[
        str | None, typer.Option("--format", metavar="NAME", help=f"For simulators: {', '.join(FIGURE_FORMATS)}.")
    ] = None,
    options: ReadOptionsWithoutBody,
) -> None:
    """Convert a clip: the format by the suffix, frames as they are unless --fps or --drop-tpose is given.

    From .bvh to .bvh every number stays as it was; .glb and .usd are written in metres, Y up. From .glb to .glb
    everything but the animation stays as it was. Simulators get the motion of the figure that is fitted to the clip.

    Example: segue convert walk.bvh walk.glb --fps 30
    """
    io.check_writable(out, file_format)
    takes: dict[str, Clip] = {}
    for source in sources:
        frames = with_stature(load_clip(source), options.stature)
        for note in stature_note(frames):
            say(note)
        if options.fps is not None:
            frames = frames.at_rate(options.fps)
        if drop_tpose:
            frames = _without_tpose(frames, options.map)
        name = unused_name(take_name(frames), takes)
        takes[name] = frames if fps is None else at_rate(frames, fps, options.map)
    single = next(iter(takes.values()))
    with progress_bar(f"Writing {out.name}"):
        one = single if len(takes) == 1 else takes
        io.write(one, out, scale=options.scale, up=options.up, map=options.map, format=file_format)
    say(_summary(single, out) if len(takes) == 1 else f"{out}: takes {', '.join(takes)}")


def _without_tpose(clip: Clip, role_map: RoleMap | None) -> Clip:
    kept = ClipSource.from_clip(clip, ClipOptions(map=role_map)).clip
    if len(kept) == len(clip):
        say("No frame was added before the motion: every frame is kept.")
    return kept


def _summary(clip: Clip, out: Path) -> str:
    frames = "1 frame" if len(clip) == 1 else f"{len(clip)} frames"
    return f"{out}: {frames} at {clip.fps:g} a second, {len(clip.skeleton)} joints"
