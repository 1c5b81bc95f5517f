"""The shipped patterns, danced by simulated bodies: none falls but one, and most keep their feet and the beat.

`make test` dances a few of them for two bars. `make test-all` dances all of them for eight, as does
`benchmarks.dance_patterns`. A pattern that is not listed below must keep the limits, and so must each new one.
"""

from __future__ import annotations

import pytest
from benchmarks._dance_limits import figures_of, kept
from benchmarks.dance_patterns import BARS

from segue.dance import plan as make_plan
from segue.dance.notation.model import Part
from segue.dance.patterns import SHIPPED, DanceLibrary
from segue.dance.simulation import SimulatedDance, simulate

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")

LIBRARY = DanceLibrary(SHIPPED)
BOTH = tuple(Part)
ALL = [(entry.title, part) for entry in LIBRARY.entries() for part in Part]
FEW = [
    ("waltz/box step", Part.LEADER),
    ("cha cha/basic", Part.FOLLOWER),
    ("rumba/box", Part.LEADER),
    ("tango/forward basic", Part.FOLLOWER),
]
# Dances that miss a limit, or come within a fifth of it, where rounding on another processor may decide. A person
# sees them danced to the end: no foot slides 2 cm, or lands 3 cm from its place or 50 ms from its beat.
LOOSE = {
    "swing/turning basic": (Part.LEADER,),
    "tango/closed promenade": BOTH,
    "waltz/left turning waltz": (Part.LEADER,),
}
FALLS = {"swing/underarm turn": (Part.FOLLOWER,)}
SLIP, LANDING, BEAT = 0.02, 0.03, 0.05  # m, m, s


def check_danced(dance: SimulatedDance) -> None:
    """Check what a person sees of a dance: it goes on to its end, every step is taken, and in its place and time."""
    assert dance.fall is None, figures_of(dance)
    assert len(dance.landings) == dance.due > 0, figures_of(dance)
    assert dance.slip <= SLIP, figures_of(dance)
    assert dance.landing_error <= LANDING, figures_of(dance)
    assert dance.beat_error <= BEAT, figures_of(dance)


@pytest.mark.parametrize(("title", "part"), FEW)
def test_a_few_patterns_keep_their_feet_and_the_beat(title: str, part: Part) -> None:
    dance = simulate(make_plan(title, part=part, bars=2, library=LIBRARY))
    check_danced(dance)
    assert kept(dance), figures_of(dance)


@pytest.mark.nightly
@pytest.mark.parametrize(("title", "part"), ALL)
def test_every_pattern_is_danced_as_well_as_ever(title: str, part: Part) -> None:
    dance = simulate(make_plan(title, part=part, bars=BARS, library=LIBRARY))
    if part in FALLS.get(title, ()):
        assert dance.fall is not None, f"{title} falls no more: take it from the list ({figures_of(dance)})"
        return
    check_danced(dance)
    if part not in LOOSE.get(title, ()):
        assert kept(dance), figures_of(dance)


def test_exceptions_are_patterns_that_there_are() -> None:
    titles = {title for title, _ in ALL}
    assert titles >= LOOSE.keys() | FALLS.keys() | {title for title, _ in FEW}
    assert len(titles) >= 31
