"""MuJoCo files: the engine itself finds every joint where the figure has it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.mocap import MOCAP
from typer.testing import CliRunner

import segue as sg
from segue import io
from segue.body.human import HUMAN
from segue.cli import app
from segue.errors import ArgumentError
from segue.language import Session
from segue.motion.tracks import poses_of

mujoco: Any = pytest.importorskip("mujoco", reason="MuJoCo (mujoco-core) is not installed")

BUILT_IN = ("kick", "reach", "run", "salute", "stand", "walk", "wave")
CAPTURED = sorted(MOCAP.glob("*/*.bvh"), key=lambda file: file.stat().st_size)[:3]


def played(path: Path) -> tuple[Any, dict[str, Any], Any]:
    """Return the model of a file, the arrays beside it, and the bodies' positions (T, 19, 3) in Segue's axes."""
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    with np.load(path.with_suffix(".qpos.npz"), allow_pickle=False) as file:
        arrays = dict(file)
    found = np.empty((len(arrays["qpos"]), len(HUMAN.segments), 3))
    for frame, row in enumerate(arrays["qpos"]):
        data.qpos[:] = row
        mujoco.mj_kinematics(model, data)
        found[frame] = data.xpos[1:, [1, 2, 0]]
    return model, arrays, found


@pytest.mark.parametrize("name", [*BUILT_IN, *CAPTURED], ids=lambda name: getattr(name, "stem", name))
def test_mujoco_puts_every_joint_where_it_is(name: str | Path, tmp_path: Path) -> None:
    motion = sg.load(name) if isinstance(name, Path) else sg.clips.motion(name)
    sg.save(motion, tmp_path / "a.xml")
    model, arrays, found = played(tmp_path / "a.xml")
    np.testing.assert_allclose(found, motion.figure.forward(motion.poses)[0], atol=1e-9)
    assert [model.body(1 + s).name for s in range(19)] == list(HUMAN.segments)
    assert model.body_mass.sum() == pytest.approx(motion.figure.mass)
    np.testing.assert_array_equal(model.key("start").qpos, arrays["qpos"][0])


def test_velocities_are_those_of_the_engine(tmp_path: Path) -> None:
    sg.save(sg.clips.walk, tmp_path / "a.xml", fps=3000.0)
    model, arrays, _ = played(tmp_path / "a.xml")
    assert arrays["fps"] == 3000.0
    step, moved = 2.0 / 3000.0, np.empty(model.nv)
    for frame in range(120, 4000, 700):
        mujoco.mj_differentiatePos(model, moved, step, arrays["qpos"][frame - 1], arrays["qpos"][frame + 1])
        np.testing.assert_allclose(moved, arrays["qvel"][frame], atol=2e-3)
    names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_ACTUATOR, k) for k in range(model.nu)]
    assert names == list(HUMAN.dof_names[6:])


def test_the_figure_falls_on_its_floor_and_stays_above_it(tmp_path: Path) -> None:
    sg.save(sg.clips.stand, tmp_path / "a.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    while data.time < 2.0:
        mujoco.mj_step(model, data)
    assert np.isfinite(data.qpos).all()
    assert data.subtree_com[0, 2] < 0.6  # nobody drives it: it fell
    assert data.xpos[1:, 2].min() > -0.05


def test_a_table_of_qpos_comes_back_bit_for_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sg.save(sg.clips.clip("wave"), "wave.bvh")
    for arguments in (["wave.csv", "--format", "qpos"], ["wave.xml"]):
        done = CliRunner().invoke(app, ["convert", "wave.bvh", *arguments])
        assert done.exit_code == 0, done.output
    head = Path("wave.csv").read_text(encoding="utf-8").partition("\n")[0].split(",")
    rows = np.loadtxt("wave.csv", delimiter=",", skiprows=1)
    with np.load("wave.qpos.npz") as arrays:
        np.testing.assert_array_equal(rows[:, 1:], arrays["qpos"])
        assert head == ["time", *arrays["qpos_names"]]
    poses = poses_of(rows[:, 1:])
    np.testing.assert_array_equal(poses.hinges, sg.load("wave.bvh").poses.hinges)


def test_the_language_writes_for_simulators_too(tmp_path: Path) -> None:
    session = Session(tmp_path)
    session.run('save(clips.wave, "wave.xml"); save(clips.wave, "wave.mot")')
    assert sorted(file.name for file in tmp_path.iterdir()) == ["wave.mot", "wave.qpos.npz", "wave.xml"]


def test_a_format_that_does_not_fit_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"files of the format qpos end in .csv, not in '.xml'"):
        io.check_writable(tmp_path / "a.xml", "qpos")
    with pytest.raises(ArgumentError, match=r"no format 'qpso': did you mean 'qpos'"):
        sg.save(sg.clips.wave, tmp_path / "a.csv", format="qpso")
    assert not list(tmp_path.iterdir())
