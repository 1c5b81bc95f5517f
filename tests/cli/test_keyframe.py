"""`segue keyframe` as scripts and people meet it."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import segue as sg
from segue.io import read
from segue.keyframe import Key, State, inbetween
from segue.keyframe.file import KeyframeFile
from tests.keyframe.test_enemies import mutated_toml

Run = Callable[..., tuple[int, str, str]]

TEXT = "".join(f'[[keyframe]]\ntime = {t}\nclip = "clips.walk"\nat = {t}\n' for t in (0.0, 0.3, 0.6, 0.9))
ROUND = "".join(f"[[keyframe]]\ntime = {t}\nset = {{ root = [0, {180 * t}, 0] }}\n" for t in (0, 1))
BOX = '[[box]]\nname = "step"\ncentre = [0, 0.1, 5]\nsize = [1, 0.2, 1]\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a file of keyframes."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "keys.toml").write_text(TEXT, encoding="utf-8")
    return tmp_path


def test_command_and_python_give_the_same_motion(folder: Path, command: Run) -> None:
    code, shown, complaint = command("keyframe", "keys.toml", "-o", "out.bvh")
    assert code == 0
    # on a machine that has never run them, kernels are compiled, which is told there
    assert all(line.startswith("segue: compiling") for line in complaint.splitlines())
    assert "torque change" in shown
    assert "out.bvh: 4 keyframes, 0.90 s" in shown
    wanted = inbetween([Key.from_motion(sg.clips.walk, t) for t in (0.0, 0.3, 0.6, 0.9)]).to_clip()
    np.testing.assert_allclose(read("out.bvh").world[0], wanted.world[0], atol=1e-5)


def test_the_ground_replaces_the_floor_of_the_file(folder: Path, command: Run) -> None:
    (folder / "keys.toml").write_text("floor = 0.5\n" + TEXT, encoding="utf-8")
    (folder / "slope.toml").write_text("height = -0.05\n[slope]\nangle = 1.0\nheading = 180\n", encoding="utf-8")
    assert "below the ground at 0.5 m" in command("keyframe", "keys.toml", "-o", "out.bvh")[2]
    for ground in ("slope.toml", "-0.05", "auto"):
        assert command("keyframe", "keys.toml", "-o", "out.bvh", "--ground", ground)[0] == 0
    code, _, complaint = command("keyframe", "keys.toml", "-o", "out.bvh", "--ground", "hill")
    assert code == 2
    assert "a height in metres, auto, or" in complaint


def test_progress_is_shown_frame_by_frame(folder: Path, command: Run) -> None:
    code, shown, _ = command("keyframe", "keys.toml", "-o", "out.bvh", "--show-progress-frames", "--between", 2)
    assert code == 0
    assert "round 1, iteration 0: 10 frames" in shown
    assert "100.0% of the first" in shown


def test_plain_splines_and_pictures(folder: Path, command: Run) -> None:
    (folder / "keys.toml").write_text(TEXT + BOX, encoding="utf-8")
    assert command("keyframe", "keys.toml", "--plain", "-o", "out.glb", "--plot", "out.png", "--fps", 30)[0] == 0
    assert (folder / "out.png").stat().st_size > 20_000
    assert read("out.glb").fps == pytest.approx(30)


def test_interrupted_it_writes_the_best_so_far(folder: Path, command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = KeyframeFile.inbetween

    def interrupted(self: object, settings: object, on_step: Callable[[State], bool]) -> sg.Motion:
        def press(state: State) -> bool:
            if state.iteration == 2:
                os.kill(os.getpid(), signal.SIGINT)
            return on_step(state)

        return kept(self, settings, press)  # type: ignore[arg-type]

    monkeypatch.setattr(KeyframeFile, "inbetween", interrupted)
    before = signal.getsignal(signal.SIGINT)
    code, shown, _ = command("keyframe", "keys.toml", "-o", "out.bvh")
    assert code == 0
    assert "stopped: the best so far" in shown
    assert len(read("out.bvh")) == 55
    assert signal.getsignal(signal.SIGINT) is before


def test_whoever_interrupts_twice_does_not_wait(folder: Path, command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def impatient(*_: object) -> sg.Motion:
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGINT)
        raise AssertionError("the second one was not heard")

    monkeypatch.setattr(KeyframeFile, "inbetween", impatient)
    code, _, _ = command("keyframe", "keys.toml", "-o", "out.bvh")
    assert code == 130
    assert not (folder / "out.bvh").exists()


@pytest.mark.parametrize("seed", range(3))
def test_mutated_files_end_with_0_or_2(folder: Path, command: Run, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(8):
        (folder / "mutated.toml").write_text(mutated_toml(rng), encoding="utf-8")
        code, _, complaint = command("keyframe", "mutated.toml", "-o", "out.bvh", "--plain")
        assert code in (0, 2)
        assert (code == 2) == complaint.startswith("segue: error: mutated.toml")
        assert complaint.count("error") == (code == 2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("keyframe", "keys.toml"), "there is nothing to do"),
        (("keyframe", "none.toml", "-o", "out.bvh"), "there is no such file"),
        (("keyframe", "keys.toml", "-o", "out.xyz"), ".xyz"),
        (("keyframe", "keys.toml", "-o", "out.bvh", "--plot", "out.xyz"), ".xyz"),
        (("keyframe", "keys.toml", "-o", "out.bvh", "--between", "-1"), "between is -1"),
        (("keyframe", "bad.toml", "-o", "out.bvh"), "bad.toml:3: walk.bvh: cannot be read: there is no such file"),
        (("keyframe", "keys.toml", "-o", "out.bvh", "--fps", "nan"), "--fps is nan"),
        (("keyframe", "keys.toml", "-o", "out.bvh", "--fps", "0"), "--fps is 0"),
        (("keyframe", "keys.toml", "-o", "out.bvh", "--plain", "--between", "2"), "--plain does not improve"),
        (
            ("keyframe", "keys.toml", "-o", "out.bvh", "--between", "100000"),
            "between is 100000: a whole number from 0 to 1000 is needed",
        ),
        (("keyframe", "one.toml", "-o", "out.bvh"), "there are 1 keyframes: at least 2 are needed"),
        (("keyframe", "round.toml", "-o", "out.bvh", "--plain"), "round.toml: root turns by 180 degrees"),
        (("keyframe", "round.toml", "-o", "out.bvh"), "round.toml: root turns by 180 degrees"),
    ],
)
def test_bad_input_gives_a_sentence_and_no_file(
    folder: Path, command: Run, arguments: tuple[str, ...], said: str
) -> None:
    (folder / "bad.toml").write_text(TEXT.replace("clips.walk", "walk.bvh"), encoding="utf-8")
    (folder / "one.toml").write_text(TEXT[: TEXT.index("[[keyframe]]", 9)], encoding="utf-8")
    (folder / "round.toml").write_text(ROUND, encoding="utf-8")
    code, shown, complaint = command(*arguments)
    assert code == 2
    assert complaint.startswith("segue: error: ")
    assert said in complaint
    assert complaint.count("\n") == 1
    assert shown == ""  # no work was done before
    assert not (folder / "out.bvh").exists()
