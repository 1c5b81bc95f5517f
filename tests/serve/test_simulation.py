"""A simulation streams from a process of its own: the bytes are those of a whole run, and its end harms nothing."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segue
from segue.dance import plan
from segue.dance.simulation import Push, SoloSimulation
from segue.serve.functions import simulation_shapes
from segue.serve.messages import shape_of
from segue.serve.simulation_messages import GuideSimulation, KeepSimulation, PushDancer, Simulate
from segue.serve.simulation_process import AHEAD, CHUNK
from tests.serve.engines import Page, engine_of

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")

PATTERN = "swing/single basic"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with engine_of(tmp_path_factory.mktemp("streamed"), "clips.walk\n") as made:
        made.ask(Simulate(pattern=PATTERN), wait=False)
        until(lambda: frames(made) >= AHEAD)
        yield made


def until(truth: Callable[[], Any], seconds: float = 240.0) -> None:
    end = time.monotonic() + seconds
    while not truth():
        assert time.monotonic() < end
        time.sleep(0.02)


def frames(page: Page, branch: int = 0) -> int:
    found = [each for each in page.all("frames") if each["branch"] == branch]
    return int(found[-1]["first"] + found[-1]["count"]) if found else 0


def loads(page: Page) -> np.ndarray:
    """Return the loads of both feet of all frames that are valid, as a page puts them together."""
    made = np.zeros((0, 2), np.float32)
    for each in page.all("frames"):
        made = np.concatenate([made[: each["first"]], each["data"]["loads"]])
    return made


def simulated(count: int, *pushes: Push) -> np.ndarray:
    running = SoloSimulation(plan(PATTERN), pushes=pushes)
    running.advance(count / 100)
    forces = running.result().forces[:, :, 1]
    return np.asarray(forces.reshape(count, 2, -1).sum(axis=2).astype(np.float32))


def test_it_waits_for_pages_that_take_its_frames(page: Page) -> None:
    first = page.all("frames")[0]
    assert first["body"]["shapes"]
    assert all(each["body"] is None for each in page.all("frames")[1:])
    assert all(each["count"] == CHUNK for each in page.all("frames"))
    assert frames(page) == AHEAD
    assert page.last("simulation")["state"] == "running"
    page.ask(GuideSimulation(action="seen", time=0.3), wait=False)
    until(lambda: frames(page) == AHEAD + 30)


def test_a_push_in_the_past_gives_the_bytes_of_one_given_before(page: Page) -> None:
    before = loads(page)
    page.ask(PushDancer(time=0.5, point="pelvis", force=(40.0, 5.0, 10.0)), wait=False)
    until(lambda: frames(page, 1) >= 120)
    (push,) = page.last("simulation")["pushes"]
    assert push["time"] == 0.5
    count = 120
    pushed = loads(page)[:count]
    assert np.array_equal(pushed, simulated(count, Push.parse(push["phrase"])))
    assert np.array_equal(pushed[:51], before[:51])
    assert not np.array_equal(pushed, before[:count])
    page.ask(GuideSimulation(action="branch", time=0.5), wait=False)
    until(lambda: frames(page, 2) >= 120)
    assert page.last("simulation")["pushes"] == []
    assert np.array_equal(loads(page)[:120], before[:120])


def test_it_pauses_and_its_motion_is_kept(page: Page) -> None:
    page.ask(GuideSimulation(action="pause"), wait=False)
    until(lambda: page.engine.simulations.state.state == "paused")
    stood = frames(page, 2)
    page.ask(GuideSimulation(action="seen", time=99.0), wait=False)
    page.ask(KeepSimulation(path="kept.bvh", request=7), wait=False)
    until(lambda: page.all("saved"))
    assert page.last("saved")["request"] == 7
    assert frames(page, 2) == stood
    kept = segue.load(page.engine.folder / "kept.bvh")
    assert kept.duration == pytest.approx((stood - 1) / 100, abs=1e-6)
    page.ask(KeepSimulation(path="../kept.bvh"), wait=False)
    assert "outside" in page.last("error")["sentence"] or "folder" in page.last("error")["sentence"]


def test_a_killed_process_is_reported_and_another_one_can_start(page: Page) -> None:
    process = page.engine.simulations.pid
    assert process is not None
    os.kill(process, signal.SIGKILL)
    until(lambda: page.engine.simulations.state.state == "failed")
    assert "start it again" in page.last("simulation")["sentence"]
    page.ask(PushDancer(time=0.5, point="pelvis", force=(40.0, 5.0, 10.0)), wait=False)
    assert "no simulation runs" in page.last("error")["sentence"]
    page.ask(Simulate(pattern="no/such dance"), wait=False)
    until(lambda: "no dance 'no'" in page.engine.simulations.state.sentence)
    assert page.engine.simulations.state.state == "failed"


def test_settings_are_described_for_forms(tmp_path: Path) -> None:
    described = {each.name for each in simulation_shapes()}
    assert described == {each.name for each in shape_of(Simulate)} - {"request"}
