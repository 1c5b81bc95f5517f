"""`segue dance perform`: patterns danced by a body with mass, by its joint torques alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from segue.body.figure import Figure
from segue.cli.console import progress_bar, say
from segue.cli.dance.accounts import Accounts
from segue.cli.dance.couple_files import PAGES, checked_files
from segue.cli.dance.evening import Choice
from segue.cli.dance.perform_couple import Leading, dance_together
from segue.cli.dance.preview import Dancing
from segue.cli.dance.surroundings import Surroundings
from segue.cli.grouping import grouped
from segue.cli.source import Mass, Sex
from segue.dance.notation.model import Part
from segue.dance.patterns import SUFFIX
from segue.dance.simulation import Mode, SimulatedDance, simulate
from segue.dance.simulation.engine import mujoco
from segue.errors import ArgumentError
from segue.files import save

_FELL, _INTERRUPTED = 1, 130


@grouped
def perform(
    dancing: Dancing,
    choice: Choice,
    surroundings: Surroundings,
    accounts: Accounts,
    leading: Leading,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="Write it: .html, .bvh, .glb, ...")],
    pattern: Annotated[
        str | None, typer.Argument(metavar="[PATTERN]", help=f"Such as 'foxtrot/forward basic', or a {SUFFIX} file.")
    ] = None,
    part: Annotated[Part, typer.Option(help="Whose part is danced.")] = Part.LEADER,
    mode: Annotated[
        Mode,
        typer.Option(
            help="By joint torques alone, with help from outside where it would fall, or by the thesis's springs."
        ),
    ] = Mode.TORQUE,
    mass: Mass = None,
    sex: Sex = "average",
) -> None:
    """Dance patterns with a body that has mass: joint torques, gravity and the floor's friction, nothing else.

    Who falls says so, and exit code 1 does. Ctrl-C ends the dance; what was danced so far is written. A couple is two
    bodies in hold; as .bvh it is two files, NAME_leader.bvh and NAME_follower.bvh.

    Example: segue dance perform "foxtrot/forward basic" --tempo 120bpm -o foxtrot.bvh --plot foxtrot.png
    """
    mujoco()
    own = dancing.stature != Dancing.stature or mass is not None or sex != "average"
    files = checked_files(out, leading.couple)
    accounts.check(files, couple=leading.couple)
    if leading.couple:
        if part is not Part.LEADER or mode is not Mode.TORQUE or mass is not None or sex != "average":
            raise ArgumentError(
                "--couple dances both parts by joint torques: leave --part, --mode, --mass and --sex out"
            )
        danced, said = dance_together(dancing, choice, surroundings, leading, pattern, files)
        accounts.write_couple(danced)
        fallen, interrupted = bool(danced.fallen), danced.interrupted
    else:
        if dancing.partner != Dancing.partner:
            raise ArgumentError("one dancer alone has no partner: leave --partner out, or add --couple")
        leading.check_alone()
        floor, pushes = surroundings.floor(choice.evening), surroundings.pushes()
        figure = Figure.standard(dancing.stature, mass, sex) if own else None
        plan = choice.plan(dancing, pattern, part, figure)
        with progress_bar("Dancing") as advance:
            dance = simulate(plan, floor, mode=mode, pushes=pushes, progress=advance)
        if len(dance.positions) < 2:
            raise KeyboardInterrupt
        _write(dance, out)
        accounts.write(dance)
        fallen, interrupted, said = dance.fall is not None, dance.interrupted, f"{out}: {_in_words(dance)}"
    say(said)
    if fallen:
        raise typer.Exit(_FELL)
    if interrupted:
        raise typer.Exit(_INTERRUPTED)


def _write(dance: SimulatedDance, out: Path) -> None:
    if out.suffix.lower() not in PAGES:
        save(dance.motion, out)
        return
    from segue.view.dance_simulation import dance_page  # pages need a library that is slow to import

    dance_page(dance).save(out)


def _in_words(dance: SimulatedDance) -> str:
    """Return how it went, in a sentence."""
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
