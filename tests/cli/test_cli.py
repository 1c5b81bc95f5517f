"""The command line as users meet it: by exit code, stdout, stderr and files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from segue import clips
from segue.curves import quaternion
from segue.io import read, write
from tests.io.malformed import malformed_files
from tests.mocap import mocap_file, needs_mocap

Command = Callable[..., tuple[int, str, str]]


def segue(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "segue", *map(str, arguments)],
        capture_output=True,
        text=True,
        env=os.environ | {"COLUMNS": "200", "NO_COLOR": "1"},
        check=False,
    )


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clips") / "walk.bvh"
    write(clips.clip("walk"), path)
    return path


def test_info_says_what_a_clip_is(walk: Path) -> None:
    done = segue("info", walk)
    assert done.returncode == 0, done.stderr
    assert "Segue figure, 19 joints" in done.stdout
    assert "60 a second" in done.stdout
    assert "1.7" in done.stdout
    assert "left ankle down" in done.stdout


def test_info_as_json_is_complete(walk: Path, command: Command) -> None:
    facts = json.loads(command("info", walk, "--json")[1])
    assert facts["unit"] == "metre"
    assert facts["up"] == "Y"
    assert facts["frames"] == len(clips.clip("walk"))
    assert facts["roles"]["left_thigh"] == "left_thigh"
    assert facts["contacts"]["left_ankle"]


def test_built_in_clips_are_clips_like_any_other(tmp_path: Path, command: Command) -> None:
    code, _, told = command("convert", "clips.wave", tmp_path / "wave.glb")
    assert code == 0, told
    assert (tmp_path / "wave.glb").stat().st_size > 1000
    code, _, told = command("info", "clips.moonwalk")
    assert code == 2
    assert "walk" in told


def test_results_with_long_paths_stay_on_one_line(walk: Path, tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "[long]" / ("a b" * 40)
    folder.mkdir(parents=True)
    _, said, _ = command("convert", walk, folder / "é.bvh")
    assert said.splitlines() == [f"{folder / 'é.bvh'}: 193 frames at 60 a second, 19 joints"]


def test_convert_resamples_along_the_curve(walk: Path, tmp_path: Path, command: Command) -> None:
    code, _, told = command("convert", walk, tmp_path / "slow.bvh", "--fps", 30)
    assert code == 0, told
    slow, source = read(tmp_path / "slow.bvh"), read(walk)
    assert slow.fps == 30
    assert quaternion.angle_between(slow.rotations, source.rotations[::2]).max() < 1e-6


def test_takes_are_written_together_listed_and_chosen(walk: Path, tmp_path: Path, command: Command) -> None:
    both = tmp_path / "both.glb"
    code, said, told = command("convert", walk, "clips.kick", both)
    assert code == 0, told
    assert "takes walk, kick" in said
    assert "> 0 walk, 1 kick" in command("info", both)[1]
    assert "0 walk, > 1 kick" in command("info", f"{both}#kick")[1]
    facts = json.loads(command("info", f"{both}#1", "--json")[1])
    assert (facts["takes"], facts["take"], facts["frames"]) == (["walk", "kick"], 1, len(clips.clip("kick")))
    code, _, told = command("info", f"{both}#run")
    assert code == 2
    assert "there are walk, kick" in told
    assert command("eval", f'load("{both.name}#kick")')[0] == 2  # not below the folder of the script


def test_fit_writes_a_report_and_the_figure(walk: Path, tmp_path: Path, command: Command) -> None:
    report, figure = tmp_path / "report.json", tmp_path / "figure.bvh"
    code, said, told = command("fit", walk, "--report", report, "-o", figure, "--mass", 70, "--sex", "female")
    assert code == 0, told
    found = json.loads(report.read_text())
    assert found["mass"] == 70
    assert found["mean_cm"] < 0.5
    assert found["limbs"]["thigh"] == pytest.approx(0.40, abs=0.03)
    assert len(read(figure)) == found["frames"]
    assert "joint distance" in said


@needs_mocap
@pytest.mark.mocap
def test_the_added_t_pose_is_kept_unless_dropped(tmp_path: Path, command: Command) -> None:
    source = mocap_file("run_09_01")
    assert command("convert", source, tmp_path / "all.bvh")[0] == 0
    assert command("convert", source, tmp_path / "less.bvh", "--drop-tpose")[0] == 0
    original, kept, dropped = read(source), read(tmp_path / "all.bvh"), read(tmp_path / "less.bvh")
    assert original.origin is not None
    assert kept.origin is not None
    assert dropped.origin is not None
    np.testing.assert_array_equal(kept.origin.rows, original.origin.rows)
    np.testing.assert_array_equal(dropped.origin.rows, original.origin.rows[1:])
    assert "T pose" in command("info", source)[1]


def test_sixty_malformed_files_give_a_sentence_each_and_no_output(tmp_path: Path, command: Command) -> None:
    cases = malformed_files()
    assert len(cases) >= 60
    for k, (name, content) in enumerate(cases):
        path = tmp_path / f"case{k}.bvh"
        path.write_bytes(content)
        code, said, told = command("convert", path, f"{path}.out.bvh")
        assert (code, said) == (2, ""), name
        lines = [line for line in told.splitlines() if "error" in line]
        assert len(lines) == 1, (name, told)
        assert path.name in lines[0], (name, told)
        assert "Traceback" not in told, name
    assert not list(tmp_path.glob("*.out.bvh"))
    assert not list(tmp_path.glob(".segue-*"))


def test_a_real_process_exits_with_two_and_one_line(tmp_path: Path) -> None:
    bad = tmp_path / "bad.bvh"
    bad.write_text("HIERARCHY\nROOT Hips\n{\n")
    done = segue("convert", bad, tmp_path / "out.glb")
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    assert "bad.bvh" in done.stderr
    assert not (tmp_path / "out.glb").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_output_that_cannot_be_written_is_told_in_one_sentence(form: tuple[str, ...], walk: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "segue", "info", str(walk), *form],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "cannot be written" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("info", "nothing.bvh"), "nothing.bvh"),
        (("convert", "{walk}", "out.fbx"), ".glb"),
        (("convert", "{walk}", "no_such_folder/out.bvh"), "folder"),
        (("convert", "{walk}", "out.bvh", "--fps", "0"), "fps"),
        (("convert", "{walk}", "out.glb", "--scale", "-1"), "scale"),
        (("convert", "{walk}", "out.glb", "--up", "X"), "Y or Z"),
        (("fit", "{walk}", "--sex", "none"), "female, male, average"),
        (("fit", "{walk}", "--mass", "-5"), "mass"),
        (("info", "{walk}", "--map", "missing.toml"), "missing.toml"),
        (("dance",), "dance"),
        (("plot", "{walk}", "-o", "out.txt"), ".png"),
        (("plot", "{walk}", "-o", "out.png", "--kind", "hologram"), "footprints"),
        (("plot", "{walk}", "-o", "out.png", "--tree"), "script"),
    ],
)
def test_wrong_arguments_are_explained(
    arguments: tuple[str, ...],
    word: str,
    walk: Path,
    tmp_path: Path,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, said, told = command(*(walk if argument == "{walk}" else argument for argument in arguments))
    assert code == 2, said
    assert word in told
    assert "Traceback" not in told
    assert not list(tmp_path.iterdir())


def test_plot_draws_clips(walk: Path, tmp_path: Path, command: Command) -> None:
    code, _, told = command("plot", walk, "--kind", "footprints", "-o", tmp_path / "feet.png")
    assert code == 0, told
    assert (tmp_path / "feet.png").stat().st_size > 1000


def test_help_teaches(command: Command) -> None:
    assert "Example: segue convert" in command("convert", "--help")[1]
    assert "clips.walk" in command("--help")[1]


def test_a_shell_can_complete_commands() -> None:
    words = {"_SEGUE_COMPLETE": "complete_bash", "COMP_WORDS": "segue tra", "COMP_CWORD": "1"}
    done = subprocess.run([sys.executable, "-m", "segue"], env={**os.environ, **words}, capture_output=True, text=True)
    assert done.stdout.split() == ["transition"]
