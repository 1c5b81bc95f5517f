"""`segue dance simulate`: patterns danced by one body with mass, or by two in hold, by joint torques."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from segue.body.figure import Figure
from segue.cli.console import progress_bar, say
from segue.cli.dance.preview import PAGES, Dancing, checked_files, write_couple
from segue.cli.dance.simulation_options import CoupleOptions, DanceChoice, Outputs, Surroundings
from segue.cli.source import Mass, Sex, grouped
from segue.dance.notation.model import Part
from segue.dance.patterns import SUFFIX
from segue.dance.simulation import Mode, SimulatedDance
from segue.dance.simulation import simulate as simulate_plan
from segue.dance.simulation.couple import SimulatedCouple, simulate_couple
from segue.dance.simulation.engine import mujoco
from segue.errors import ArgumentError
from segue.files import save

_FELL, _INTERRUPTED = 1, 130


@grouped
def simulate_patterns(
    dancing: Dancing,
    choice: DanceChoice,
    surroundings: Surroundings,
    outputs: Outputs,
    couple: CoupleOptions,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="Write it: .html, .bvh, .glb, ...")],
    pattern: Annotated[
        str | None, typer.Argument(metavar="[PATTERN]", help=f"Such as 'foxtrot/forward basic', or a {SUFFIX} file.")
    ] = None,
    part: Annotated[Part, typer.Option(help="The part to dance.")] = Part.LEADER,
    mode: Annotated[
        Mode,
        typer.Option(
            help="torque: joint torques alone; assisted: with an outside torque; classic: the thesis's springs."
        ),
    ] = Mode.TORQUE,
    mass: Mass = None,
    sex: Sex = "average",
) -> None:
    """Dance patterns with a body that has mass, moved by joint torques, gravity and the floor alone.

    If a dancer falls, the command prints when, writes the files and exits with code 1. Ctrl-C ends the dance and
    writes the part that was danced. A couple is two bodies in hold. As .bvh a couple is two files, NAME_leader.bvh and
    NAME_follower.bvh.

    Example: segue dance simulate "foxtrot/forward basic" --tempo 120bpm -o foxtrot.bvh --plot foxtrot.png
    """
    mujoco()
    files = checked_files(out, couple.couple)
    outputs.check(files, couple=couple.couple)
    if couple.couple:
        if part is not Part.LEADER or mode is not Mode.TORQUE or mass is not None or sex != "average":
            raise ArgumentError(
                "--couple dances both parts by joint torques: leave --part, --mode, --mass and --sex out"
            )
        danced = _simulate_two(dancing, choice, surroundings, couple, pattern, files)
        outputs.write_couple(danced)
        fallen, interrupted, summary = bool(danced.fallen), danced.interrupted, _couple_summary(danced)
    else:
        if dancing.partner != Dancing.partner:
            raise ArgumentError("one dancer alone has no partner: leave --partner out, or add --couple")
        couple.check_alone()
        described = dancing.stature != Dancing.stature or mass is not None or sex != "average"
        figure = Figure.standard(dancing.stature, mass, sex) if described else None
        dance = _simulate_one(dancing, choice, surroundings, pattern, part, figure, mode, out)
        outputs.write(dance)
        fallen, interrupted, summary = dance.fall is not None, dance.interrupted, _summary(dance)
    say(f"{' and '.join(str(file) for file in files)}: {summary}")
    if fallen:
        raise typer.Exit(_FELL)
    if interrupted:
        raise typer.Exit(_INTERRUPTED)


def _simulate_one(
    dancing: Dancing,
    choice: DanceChoice,
    surroundings: Surroundings,
    pattern: str | None,
    part: Part,
    figure: Figure | None,
    mode: Mode,
    out: Path,
) -> SimulatedDance:
    """Simulate one dancer and write the motion; figure: None for the default body."""
    floor, pushes = surroundings.floor(choice.evening), surroundings.pushes()
    plan = choice.plan(dancing, pattern, part, figure)
    with progress_bar("Dancing") as advance:
        dance = simulate_plan(plan, floor, mode=mode, pushes=pushes, progress=advance)
    if len(dance.positions) < 2:
        raise KeyboardInterrupt
    if out.suffix.lower() in PAGES:
        from segue.view.dance_simulation import dance_page  # pages need a library that is slow to import

        dance_page(dance).save(out)
    else:
        save(dance.motion, out)
    return dance


def _simulate_two(
    dancing: Dancing,
    choice: DanceChoice,
    surroundings: Surroundings,
    options: CoupleOptions,
    pattern: str | None,
    files: tuple[Path, ...],
) -> SimulatedCouple:
    """Simulate a couple and write its motions to files that were checked."""
    lead, floor, pushes = options.lead(), surroundings.floor(choice.evening), surroundings.pushes()
    plan = choice.couple(dancing, pattern, options.step_size)
    with progress_bar("Dancing") as advance:
        danced = simulate_couple(plan, floor, lead=lead, pushes={Part.LEADER: pushes}, progress=advance)
    if len(danced.leader.positions) < 2:
        raise KeyboardInterrupt
    if files[0].suffix.lower() in PAGES:
        from segue.view.dance_simulation import couple_page  # pages need a library that is slow to import

        couple_page(danced).save(files[0])
    else:
        write_couple(danced, files)
    return danced


def _summary(dance: SimulatedDance) -> str:
    """Return the result of one dancer in a sentence."""
    ended = "" if dance.fall is None else f"; {dance.fall}"
    if dance.interrupted:
        ended = "; ended before its time"
    helped = ""
    if dance.mode is not Mode.TORQUE:
        helped = f"; a torque from outside of up to {dance.help.largest:.0f} N m helped, {dance.help.rms:.0f} N m rms"
    if dance.adjusted or dance.unplanned:
        adjusted = "1 step was" if dance.adjusted == 1 else f"{dance.adjusted} steps were"
        ended = f"; {adjusted} adjusted, {dance.unplanned} taken besides{ended}"
    hardest = max(dance.efforts, key=lambda joint: dance.efforts[joint])
    return (
        f"{len(dance.landings)} of {dance.due} landings in {dance.times[-1]:.1f} s, within {1e3 * dance.beat_error:.0f}"
        f" ms of the beat and {1e3 * dance.landing_error:.1f} mm of their place; feet slip {1e3 * dance.slip:.1f} mm,"
        f" {hardest.replace('_', ' ')} works hardest, at {dance.efforts[hardest]:.0%} of its strength{helped}{ended}"
    )


def _couple_summary(danced: SimulatedCouple) -> str:
    """Return the result of a couple in a sentence."""
    parts = "; ".join(
        f"the {part} landed {len(dance.landings)} of {dance.due} steps, within {1e3 * dance.beat_error:.0f} ms of their"
        f" time and {1e3 * dance.landing_error:.1f} mm of their place, feet slip {1e3 * dance.slip:.1f} mm"
        for part, dance in danced.parts.items()
    )
    hardest = int(danced.hold.largest.argmax())
    fallen = "".join(
        f"; {dance.fall}".replace("the dancer", f"the {part}") for part, dance in danced.parts.items() if dance.fall
    )
    ended = "; ended before its time" if danced.interrupted else fallen
    return (
        f"{danced.leader.times[-1]:.1f} s in hold; {parts}; the hold is firmest, {danced.hold.largest[hardest]:.0f} N,"
        f" at the {danced.hold.names[hardest]}{ended}"
    )
