"""What people give by mistake, or to break it: every time one sentence, never another kind of error."""

from __future__ import annotations

import json
import math
import random
import tomllib
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import segue as sg
from segue.cli.source import load_motion
from segue.errors import ArgumentError, SegueError, SegueWarning
from segue.keyframe import Adaptive, Key, Settings, VectorKeyframes, inbetween, inbetween_rotations, inbetween_vectors
from segue.keyframe.file import read_keyframes
from segue.keyframe.keys import Load
from segue.motion.box import Box
from segue.spacetime.terms import Acceleration, Floor, JointLimits, Obstacle, Plant, Torque, UserTerm
from tests.keyframe.test_figure_files import GOOD

FIGURE = sg.Figure.standard()
NUMBERS = VectorKeyframes([0.0, 1.0, 2.0], [[0.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
HUGE = 10**400


def arms(*times: float) -> list[Key]:
    return [Key.from_angles(time, {"right_elbow_flexion": 20 + 5 * k}) for k, time in enumerate(times)]


def elbow(time: Any = 0.0) -> Key:
    return Key.from_angles(time, {"right_elbow_flexion": 20})


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (lambda: elbow("noon"), "a number of seconds is needed"),
        (lambda: elbow(None), "a number of seconds is needed"),
        (lambda: elbow(True), "a number of seconds is needed"),
        (lambda: elbow(HUGE), "a number of seconds is needed"),
        (lambda: elbow().at("noon"), "a number of seconds is needed"),
        (lambda: elbow().only(3), "names of joints or groups are needed"),
        (lambda: Key.from_motion(sg.clips.stand, 0.1).moved("up"), "three numbers of metres"),
        (lambda: Key.from_motion(sg.clips.stand, 0.1).moved([1, [2], 3]), "three numbers of metres"),
        (lambda: Key.from_motion(sg.clips.stand, 0.1, joints=3), "names of joints or groups are needed"),
        (lambda: Key.from_angles(0.0, [1, 2]), "in a dict"),
        (lambda: Key.from_angles(0.0, {3: 4}), "no joint or group '3'"),
        (
            lambda: Key.from_angles(0.0, {"root_position": [HUGE, 0, 0]}),
            "a row of finite numbers up to 1,000,000 is needed",
        ),
        (lambda: inbetween(arms(0.0, 1e300)), "times up to 1e[+]09 s"),
        (lambda: inbetween(arms(0.0, 1e8)), "more than 1,000,000 frames"),
        (lambda: inbetween(arms(0.0, 1e-300)), "only 1e-300 s apart"),
        (lambda: inbetween(arms(0.0, 1e-9, 1.0)), "keyframes 0 and 1 at 0 s are only 1e-09 s apart"),
        (lambda: inbetween(arms(9e8, 9e8 + 0.5)), "apart: at least 0.9 s are needed"),
        (lambda: inbetween(arms(0.0, 1.0), fps=1e300), "more than 1,000,000 frames"),
        (lambda: inbetween(arms(0.0, 1.0), fps="many"), "frames a second"),
        (lambda: inbetween(arms(0.0, 1.0), ground="low"), "a height in metres"),
        (lambda: inbetween(arms(0.0, 1.0), figure=3), "give a Figure"),
        (lambda: inbetween(arms(0.0, 1.0), boxes=3), "a list of Box is needed"),
        (lambda: inbetween(arms(0.0, 1.0), boxes=[3]), "a list of Box is needed"),
        (lambda: inbetween(arms(0.0, 1.0), boxes={"wall": 3}), "a list of Box is needed"),
        (lambda: inbetween(arms(0.0, 1.0), boxes=Box((0, 0, 9), (1, 1, 1))), "a list of Box is needed"),
        (lambda: inbetween(arms(0.0, 1.0), plants=[3]), "a list of Plant is needed"),
        (lambda: inbetween(arms(0.0, 1.0), plants=3), "a list of Plant is needed"),
        (lambda: Box("abc", (1, 1, 1)), "three numbers of metres"),
        (lambda: Box(None, (1, 1, 1)), "three numbers of metres"),
        (lambda: Box((0, 0, 0), (1, 1, 1), math.nan), "an angle in radians is needed"),
        (lambda: Box.step("high", 1, 2), "a measure of a step is 'high'"),
        (lambda: Obstacle(FIGURE, 3), "a Box is needed"),
        (lambda: Plant("left_heel", "now", 1), "a number of seconds"),
        (lambda: Plant("left_heel", 0, 1, -1), "a number of 0 or more"),
        (lambda: Floor(FIGURE, height=math.nan), "one number of metres"),
        (lambda: Floor(FIGURE, height=[0.0, 0.1]), "one, or 6, are needed"),
        (lambda: Torque(FIGURE, "heavy"), "44 numbers"),
        (lambda: Torque(3), "is no figure"),
        (lambda: JointLimits(FIGURE, margin=math.nan), "a number of radians, 0 or more, is needed"),
        (lambda: inbetween_vectors(NUMBERS, [JointLimits(FIGURE)]), "for paths of the figure"),
        (lambda: inbetween_vectors(NUMBERS, [Acceleration]), "Acceleration is a class"),
        (lambda: inbetween_vectors(NUMBERS, 3), "a list of terms is needed"),
        (lambda: inbetween_vectors(NUMBERS, [Acceleration()], 3), "Settings"),
        (lambda: inbetween_vectors(NUMBERS, [Acceleration()], on_step=3), "a function that takes a state"),
        (lambda: inbetween_vectors(NUMBERS, [Acceleration()]).path.at("noon"), "numbers of seconds"),
        (lambda: inbetween_vectors(NUMBERS, [UserTerm(lambda t, x, v, a: 1j * x[:, 0])]), "fails with .*complex"),
        (lambda: Settings(between=1.5), "a whole number from 0 to 1000 is needed"),
        (lambda: Settings(between=10**7), "a whole number from 0 to 1000 is needed"),
        (lambda: Settings(samples="many"), "a whole number from 2 to 1000 is needed"),
        (lambda: Settings(iterations=math.inf), "a whole number of 0 or more"),
        (lambda: Settings(tolerance="tight"), "a number of 0 or more"),
        (lambda: Settings(subdivision=3), "Adaptive, Everywhere or None"),
        (lambda: Adaptive(points=0), "a whole number of 1 or more"),
        (lambda: VectorKeyframes([0, 1], [[HUGE], [1]]), "must be rows of numbers"),
        (lambda: VectorKeyframes([0, 1], [[1, 2], [3, 4]], [[1], [1, 0]]), "rows of truths"),
        (lambda: inbetween_rotations([0, 1], [[1, 0, 0, 0]] * 2, form="soft", stiffness="hard"), "a positive number"),
    ],
)
def test_mistakes_in_python_get_a_sentence(mistake: Callable[[], object], said: str) -> None:
    with pytest.raises(ArgumentError, match=said) as told:
        mistake()
    assert "\n" not in str(told.value)
    assert len(str(told.value)) < 250


def test_a_penalty_without_a_value_somewhere_is_kept_away_from() -> None:
    """A barrier has no value beyond the wall; the descent must turn back, not give up."""

    def barrier(times: np.ndarray, value: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            return np.where(value[:, 0] > 0.05, np.log(value[:, 0]) ** 2, np.inf)

    keys = VectorKeyframes([0.0, 1.0, 2.0], [[0.1], [3.0], [0.1]])
    better = inbetween_vectors(keys, [UserTerm(barrier), (1e-4, Acceleration())])
    assert better.after["user"] < 0.8 * better.before["user"]


_VALUES = (
    "nan inf -inf -1 0 1e300 1e-300 -1e300 1e9 true false '' 'x' 'nan' [] {} [1] [[1,2],[3]] [0,0,0] [nan,0,0] "
    f"['root'] [''] [1e200,1e200,1e200] {'9' * 30} {'9' * 400} 1979-05-27 'clips.walk' 'clips' 'clips.' '../x.bvh' "
    "{a=1} [{}] [0,0,0,0] [1,0,0,0] [1e-8,0,0,0] [1e300,1e300,0,0] 0.75 45 'stand' 'left_toe_tip' ['legs']"
).split(" ")


def mutated_toml(rng: random.Random) -> str:
    lines = GOOD.splitlines()
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        k, way = rng.randrange(len(lines)), rng.random()
        if way < 0.6 and "=" in lines[k]:
            lines[k] = f"{lines[k].partition('=')[0]}= {rng.choice(_VALUES)}"
        elif way < 0.7:
            lines[k] = ""
        elif way < 0.8:
            lines.insert(k, rng.choice(lines))
        elif lines[k]:
            at = rng.randrange(len(lines[k]))
            lines[k] = lines[k][:at] + rng.choice('[]{}="#,.x0\x00é\n') + lines[k][at + 1 :]
    return "\n".join(lines)


def mutated_json(rng: random.Random) -> str:
    tables = tomllib.loads(GOOD)
    places: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        for name, value in list(node.items() if isinstance(node, dict) else enumerate(node)):
            places.append((node, name))
            if isinstance(value, dict | list):
                walk(value)

    walk(tables)
    node, name = rng.choice(places)
    if rng.random() < 0.2:
        del node[name]
    else:
        node[name] = rng.choice(
            [None, True, -1, 0, 1e308, "", "x", [], {}, [None], math.nan, [0, 0, 0], HUGE, [1, [2]]]
        )
    return json.dumps(tables, indent=1)


def complaint(path: Path, load: Load) -> str:
    """Return what is told of a keyframe file, nothing where it works; no other error, and no warning of another."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", SegueWarning)
        try:
            made = read_keyframes(path, load).inbetween(Settings(subdivision=None, samples=4, iterations=1))
        except SegueError as error:
            return str(error)
    assert np.isfinite(made.at(np.linspace(made.start, made.stop, 7)).root).all()
    return ""


@pytest.mark.parametrize("seed", range(6))
def test_mutated_files_work_or_get_one_sentence(tmp_path: Path, seed: int) -> None:
    rng, load = random.Random(seed), cache(load_motion)
    said = []
    for k in range(55):
        path = tmp_path / ("keys.json" if k % 3 == 0 else "keys.toml")
        path.write_text(mutated_json(rng) if k % 3 == 0 else mutated_toml(rng), encoding="utf-8")
        sentence = complaint(path, load)
        assert "\n" not in sentence, sentence
        assert len(sentence.replace(str(tmp_path), "")) < 300, sentence
        said.append(sentence)
    assert "" in said
    assert any(said)
