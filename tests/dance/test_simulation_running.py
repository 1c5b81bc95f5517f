"""A dance that runs frame by frame gives the bytes of the whole one, also from a copy and with pushes on the way."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from segue.dance import preview_couple
from segue.dance.notation.model import Part
from segue.dance.simulation import History, Mode, Push, SoloSimulation, simulate
from segue.dance.simulation.couple import CoupleSimulation
from segue.errors import ArgumentError
from tests.support.simulated_plans import plan_of, walking

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")

SHORT = plan_of([], lead_in=0.9, arms=False)
PLAN = plan_of(walking(1, 1.0), lead_in=0.9)
SHOVE = Push(0.75, 90.0, 0.1, "right up 10 deg", "pelvis")


def same(one: Any, other: Any) -> bool:
    """Whether all fields of two results are equal, arrays to the last bit."""
    for field in fields(one):
        left, right = getattr(one, field.name), getattr(other, field.name)
        if isinstance(left, np.ndarray):
            if left.tobytes() != right.tobytes():
                return False
        elif left != right and field.name not in ("plan", "leader", "follower", "hold"):
            return False
    return True


def test_steps_give_the_bytes_of_the_whole() -> None:
    whole = simulate(SHORT, pushes=[SHOVE])
    running = SoloSimulation(SHORT)
    while not running.done:
        running.advance(0.13)
        if running.time < SHOVE.time <= running.time + 0.13:
            running.push(SHOVE)
    assert running.recorded == running.frames
    assert same(running.result(), whole)


@pytest.mark.parametrize("mode", list(Mode))
def test_a_push_while_it_runs_gives_the_bytes_of_one_given_before(mode: Mode) -> None:
    running = SoloSimulation(PLAN, mode=mode)
    given, plain = running.copy(), running.copy()
    given.push(SHOVE)
    running.advance(0.5)
    early = running.copy()
    running.advance(0.25)
    assert running.time == SHOVE.time
    assert running.recorded == 75
    running.push(SHOVE)
    early.push(SHOVE)
    running.advance(0.45)
    early.advance(0.7)
    for each in (given, plain):
        each.advance(1.2)
    assert same(running.result(), given.result())
    assert same(early.result(), given.result())
    pushed, calm = running.result(), plain.result()
    assert np.array_equal(pushed.positions[:76], calm.positions[:76])
    assert not np.array_equal(pushed.positions[76], calm.positions[76])
    assert np.array_equal(running.result(first=75).positions, pushed.positions[75:])


def test_a_history_goes_back_to_any_time() -> None:
    history = History(SoloSimulation(PLAN))
    while history.now.time < 1.2:
        history.advance(7)
    plain = history.now.result()
    for time in (1.03, 0.75, 0.2):
        history.branch(time)
        assert history.now.recorded == round(time * 100)
        history.now.push(Push(time, 60.0, 0.1, "left"))
        history.advance(5)
        assert not np.array_equal(history.now.result().positions[-1], plain.positions[history.now.recorded - 1])
    history.branch(0.2)
    history.advance(len(plain.times) - 20)
    assert same(history.now.result(), plain)
    with pytest.raises(ArgumentError, match="time"):
        history.branch(99.0)


def test_pushes_come_now_or_later() -> None:
    running = SoloSimulation(PLAN)
    running.advance(0.1)
    with pytest.raises(ArgumentError, match="too late: the dancer is at"):
        running.push(Push(0.05, 10.0, 0.1, "left"))
    with pytest.raises(ArgumentError, match="after the dance"):
        running.push(Push(50.0, 10.0, 0.1, "left"))
    with pytest.raises(ArgumentError, match="part"):
        running.push(Push(0.2, 10.0, 0.1, "left"), Part.FOLLOWER)


def test_a_couple_that_runs_and_is_copied_gives_the_bytes_of_the_whole() -> None:
    running = CoupleSimulation(preview_couple("waltz/hesitation", bars=1))
    whole, shove = running.copy(), Push(0.4, 40.0, 0.1, "back")
    whole.push(shove, Part.FOLLOWER)
    whole.advance(0.6)
    running.advance(0.3)
    early = running.copy()
    running.advance(0.1)
    for each in (running, early):
        each.push(shove, "follower")
        each.advance(0.6 - each.time)
        made, wanted = each.result(), whole.result()
        assert len(made.leader.times) == 60
        assert all(same(one, other) for one, other in zip(made.parts.values(), wanted.parts.values(), strict=True))
        assert same(made.hold, wanted.hold)


@pytest.mark.parametrize("force", [(30.0, 0.0, 0.0), (-12.3, 4.0, 55.0), (0.0, -20.0, 0.0), (1.0, 80.0, -3.0)])
def test_a_force_in_the_world_becomes_a_phrase(force: tuple[float, float, float]) -> None:
    turned = 0.7
    sine, cosine = np.sin(turned), np.cos(turned)
    facing = np.array([[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]])
    push = Push.from_force(1.25, np.array(force), 0.2, "left_hand", facing)
    assert Push.parse(str(push)) == push
    np.testing.assert_allclose(push.at(1.3, facing), force, atol=0.25)
    assert not push.at(1.5, facing).any()
