"""Two simulated dancers in hold: soft hands between them, a follower who is led, and nothing from outside."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from segue.dance import preview_couple
from segue.dance.course.couple import CoupleCourse
from segue.dance.course.hold import Holding
from segue.dance.notation.model import Part
from segue.dance.performance.couple import CouplePreview, couple_clip
from segue.dance.simulation.couple import Lead, SimulatedCouple, simulate_couple
from segue.dance.simulation.couple.hold import ArmsInHold
from segue.dance.simulation.dancer import Dancer
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.push import Push
from segue.errors import ArgumentError

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")

SLIP, LANDING, BEAT, HELD = 0.003, 0.010, 0.020, 40.0


@pytest.fixture(scope="module")
def waltz() -> CouplePreview:
    return preview_couple("waltz/hesitation", bars=1)


@pytest.fixture(scope="module")
def danced(waltz: CouplePreview) -> SimulatedCouple:
    return simulate_couple(waltz)


def begun(
    waltz: CouplePreview, frames: int, lead: Lead | None = None, pushes: dict[Part, list[Push]] | None = None
) -> SimulatedCouple:
    """Return the first frames of a dance."""

    def stop(done: int, of: int) -> None:
        if done == frames:
            raise KeyboardInterrupt

    return simulate_couple(waltz, lead=lead, pushes=pushes, progress=stop)


def test_numbers_of_arrays_are_numbers(danced: SimulatedCouple) -> None:
    slippery, late = Environment(friction=np.float32(0.5)), Lead(np.float32(0.125), seed=np.arange(3)[2])
    report = replace(danced, leader=replace(danced.leader, environment=slippery), lead=late).report()
    told = json.loads(json.dumps(report))
    assert told["leader"]["environment"]["friction"] == 0.5
    assert told["lead"] == {"delay_ms": 125.0, "error_mm": 4.0, "seed": 2}


def test_partners_who_are_stopped_amid_a_frame_have_equally_many(
    waltz: CouplePreview, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted, count = Dancer.record, 0

    def note(dancer: Dancer) -> None:
        nonlocal count
        noted(dancer)
        count += 1
        if count == 7:  # the leader's fourth frame, of which the follower knows nothing yet
            raise KeyboardInterrupt

    monkeypatch.setattr(Dancer, "record", note)
    stopped = simulate_couple(waltz)
    assert stopped.interrupted
    assert [len(dance.positions) for dance in stopped.parts.values()] == [3, 3]
    assert len(stopped.hold.times) == 3
    assert len(couple_clip(stopped)) > 0


def test_a_couple_keeps_feet_and_beat_in_hold(danced: SimulatedCouple) -> None:
    assert danced.fallen == ()
    for dance in danced.parts.values():
        assert len(dance.landings) == dance.due > 0
        assert dance.slip <= SLIP
        assert dance.landing_error <= LANDING
        assert dance.beat_error <= BEAT
        assert max(dance.efforts.values()) <= 1.0
    assert danced.hold.largest.max() < HELD
    assert danced.hold.drift.max() < 0.05
    assert (danced.hold.rms > 0.1).all()


def test_what_moves_each_is_gravity_floor_and_the_partner(danced: SimulatedCouple) -> None:
    for dance in danced.parts.values():
        assert dance.outside.applied == 0.0
        assert dance.outside.unexplained < 0.5


def test_both_begin_in_hold(danced: SimulatedCouple) -> None:
    assert danced.holding is Holding.CLOSED
    assert danced.hold.names == ("left hand in right hand", "right hand on back", "left hand on upper arm")
    assert np.abs(danced.hold.gaps[1]).max() < 0.03


def test_the_follower_lands_late_by_the_lead(danced: SimulatedCouple) -> None:
    led, followed = danced.plan.follower.footsteps, danced.follower.plan.footsteps
    for shared, own in zip(led, followed, strict=True):
        assert own.land - shared.land == pytest.approx(danced.lead.delay)
    assert danced.leader.plan is danced.plan.leader


def test_the_report_is_ready_for_json(danced: SimulatedCouple) -> None:
    report = json.loads(json.dumps(danced.report()))
    assert report["leader"]["fall"] is None
    assert report["follower"]["landings"]["made"] == danced.follower.due
    assert report["hold"]["kind"] == "closed"
    assert set(report["hold"]["contacts"]) == set(danced.hold.names)
    assert report["lead"]["delay_ms"] == 30.0


def test_motions_are_on_one_floor(danced: SimulatedCouple) -> None:
    leader, follower = (motion.at([1.0]).root[0] for motion in danced.motions.values())
    assert 0.3 < np.hypot(*(leader - follower)[[0, 2]]) < 0.8


def test_the_same_seed_gives_the_same_bytes_and_ctrl_c_keeps_what_was_danced(waltz: CouplePreview) -> None:
    one, again = (begun(waltz, 40, Lead(seed=3)) for _ in range(2))
    assert one.interrupted
    assert len(one.leader.positions) == len(one.hold.forces) == 40
    for part in one.parts:
        np.testing.assert_array_equal(one.parts[part].positions, again.parts[part].positions)
    np.testing.assert_array_equal(one.hold.forces, again.hold.forces)


def test_who_is_pushed_is_felt_by_the_partner(waltz: CouplePreview, danced: SimulatedCouple) -> None:
    pushed = begun(waltz, 60, pushes={Part.FOLLOWER: [Push(0.3, 60.0, 0.2, "back")]})
    moved = np.abs(pushed.leader.centre - danced.leader.centre[:60]).max(axis=1)
    assert moved[:30].max() == 0.0
    assert moved[-1] > 1e-5
    assert np.abs(pushed.hold.forces - danced.hold.forces[:60]).max() > 1.0


def test_arms_are_planned_to_meet_where_bodies_will_be(waltz: CouplePreview) -> None:
    courses = CoupleCourse.of(waltz.plan.leader, waltz.plan.follower, Holding.TWO_HANDS)
    arms = ArmsInHold.of(courses, Holding.TWO_HANDS, Environment())
    assert arms.gaps.shape[1] == 2
    assert arms.gaps.max() < 1e-3
    assert (arms.share(1.0) == 1.0).all()


class TestLead:
    def test_feet_land_beside_but_stay_where_they_landed(self, waltz: CouplePreview) -> None:
        shared = waltz.plan.follower
        led = Lead(0.05, 0.01, seed=1).follower_plan(shared)
        last = {"left": shared.begins.left, "right": shared.begins.right}
        missed = []
        for step, own in zip(shared.footsteps, led.footsteps, strict=True):
            assert own.start[:2] == pytest.approx(last[own.foot][:2])
            assert own.end.heading == step.end.heading
            missed.append(np.hypot(own.end.x - step.end.x, own.end.z - step.end.z))
            last[own.foot] = own.end
        assert 0.0 < max(missed) <= 0.02 + 1e-12
        assert led.ends.left[:2] == pytest.approx(last["left"][:2])
        assert led.stop == shared.stop + 0.05

    def test_seeds_differ_and_repeat(self, waltz: CouplePreview) -> None:
        plans = [Lead(seed=seed).follower_plan(waltz.plan.follower).footsteps for seed in (1, 1, 2)]
        assert plans[0] == plans[1] != plans[2]

    def test_a_perfect_lead_changes_nothing(self, waltz: CouplePreview) -> None:
        shared = waltz.plan.follower
        led = Lead(0.0, 0.0).follower_plan(shared)
        assert led.footsteps == shared.footsteps
        assert led.steps == shared.steps
        assert led.stop == shared.stop

    @pytest.mark.parametrize(
        ("wrong", "name"),
        [
            ({"delay": -0.1}, "delay"),
            ({"delay": float("nan")}, "delay"),
            ({"error": 1.0}, "error"),
            ({"seed": -1}, "seed"),
        ],
    )
    def test_leads_that_make_no_sense_are_refused(self, wrong: dict[str, float], name: str) -> None:
        with pytest.raises(ArgumentError, match=name):
            Lead(**wrong)  # type: ignore[arg-type]
