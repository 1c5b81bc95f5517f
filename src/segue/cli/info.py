"""`segue info`: what a clip is."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.table import Table

from segue.cli.console import output, say
from segue.cli.grouping import grouped
from segue.cli.source import ClipName, ReadOptionsWithoutBody, load_take
from segue.motion.clip_source import ClipSource


@grouped
def describe_clip(
    clip: ClipName,
    *,
    options: ReadOptionsWithoutBody,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Say what a clip is: skeleton, units, frames, the person's height, when the feet stand on the floor.

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
    table.add_row("stature", f"{facts['stature']:.2f} m")
    for point, spans in facts["contacts"].items():
        shown = ", ".join(f"{start:.2f}-{stop:.2f}" for start, stop in spans[:8])
        more = f", and {len(spans) - 8} more" if len(spans) > 8 else ""
        table.add_row(f"{point.replace('_', ' ')} down", (f"{shown}{more} s" if spans else "never"))
    output.print(table)
    for note in facts["notes"]:
        say(note)


def _facts(take: ClipSource) -> dict[str, Any]:
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
        "stature": take.space.stature,
        "contacts": contacts,
        "notes": list(take.notes),
    }
