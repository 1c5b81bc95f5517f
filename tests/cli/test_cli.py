"""The command line as users meet it: in a process of its own, by exit code, stdout, stderr and files."""

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


def segue(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "segue", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
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
    assert "left heel down" in done.stdout


def test_info_as_json_is_complete(walk: Path) -> None:
    facts = json.loads(segue("info", walk, "--json").stdout)
    assert facts["unit"] == "metre"
    assert facts["up"] == "Y"
    assert facts["frames"] == len(clips.clip("walk"))
    assert facts["roles"]["left_thigh"] == "left_thigh"
    assert facts["contacts"]["left_heel"]


def test_built_in_clips_are_clips_like_any_other(tmp_path: Path) -> None:
    done = segue("convert", "clips.wave", "wave.glb", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "wave.glb").stat().st_size > 1000
    wrong = segue("info", "clips.moonwalk")
    assert wrong.returncode == 2
    assert "walk" in wrong.stderr


def test_results_with_long_paths_stay_on_one_line(walk: Path, tmp_path: Path) -> None:
    folder = tmp_path / "[long]" / ("a b" * 40)
    folder.mkdir(parents=True)
    done = segue("convert", walk, folder / "é.bvh")
    assert done.stdout.splitlines() == [f"{folder / 'é.bvh'}: 193 frames at 60 a second, 19 joints"]


def test_convert_resamples_along_the_curve(walk: Path, tmp_path: Path) -> None:
    done = segue("convert", walk, tmp_path / "slow.bvh", "--fps", 30)
    assert done.returncode == 0, done.stderr
    slow, source = read(tmp_path / "slow.bvh"), read(walk)
    assert slow.fps == 30
    assert quaternion.angle_between(slow.rotations, source.rotations[::2]).max() < 1e-6


def test_fit_writes_a_report_and_the_figure(walk: Path, tmp_path: Path) -> None:
    report, figure = tmp_path / "report.json", tmp_path / "figure.bvh"
    done = segue("fit", walk, "--report", report, "-o", figure, "--mass", 70, "--sex", "female")
    assert done.returncode == 0, done.stderr
    found = json.loads(report.read_text())
    assert found["mass"] == 70
    assert found["mean_cm"] < 0.5
    assert found["limbs"]["thigh"] == pytest.approx(0.40, abs=0.03)
    assert len(read(figure)) == found["frames"]
    assert "joint distance" in done.stdout


@needs_mocap
@pytest.mark.mocap
def test_the_added_t_pose_is_kept_unless_dropped(tmp_path: Path) -> None:
    source = mocap_file("run_09_01")
    assert segue("convert", source, tmp_path / "all.bvh").returncode == 0
    assert segue("convert", source, tmp_path / "less.bvh", "--drop-tpose").returncode == 0
    original, kept, dropped = read(source), read(tmp_path / "all.bvh"), read(tmp_path / "less.bvh")
    assert original.origin is not None
    assert kept.origin is not None
    assert dropped.origin is not None
    np.testing.assert_array_equal(kept.origin.rows, original.origin.rows)
    np.testing.assert_array_equal(dropped.origin.rows, original.origin.rows[1:])
    assert "T pose" in segue("info", source).stdout


def test_sixty_malformed_files_give_a_sentence_each_and_no_output(tmp_path: Path) -> None:
    """One process for all: what a process of its own would print and return is checked call by call."""
    script = tmp_path / "convert_all.py"
    script.write_text(
        "import sys\n"
        "from segue.cli import main\n"
        "for name in sys.stdin.read().split('\\n'):\n"
        "    sys.argv = ['segue', 'convert', name, name + '.out.bvh']\n"
        "    try:\n"
        "        main()\n"
        "    except SystemExit as stop:\n"
        "        print('EXIT', stop.code, file=sys.stderr, flush=True)\n"
    )
    cases = malformed_files()
    assert len(cases) >= 60
    paths = []
    for k, (_, content) in enumerate(cases):
        path = tmp_path / f"case{k}.bvh"
        path.write_bytes(content)
        paths.append(path)
    done = subprocess.run(
        [sys.executable, str(script)],
        input="\n".join(map(str, paths)),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Traceback" not in done.stderr
    sayings = done.stderr.split("EXIT ")
    assert len(sayings) == len(cases) + 1
    for (name, _), path, said, after in zip(cases, paths, sayings, sayings[1:], strict=False):
        assert after.split()[0] == "2", name
        lines = [line for line in said.splitlines()[1 if said is not sayings[0] else 0 :] if "error" in line]
        assert len(lines) == 1, (name, said)
        assert path.name in lines[0], (name, said)
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


def test_plot_draws_clips(walk: Path, tmp_path: Path) -> None:
    done = segue("plot", walk, "--kind", "footprints", "-o", tmp_path / "feet.png")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "feet.png").stat().st_size > 1000


def test_help_teaches() -> None:
    assert "Example: segue convert" in segue("convert", "--help").stdout
    assert "clips.walk" in segue("--help").stdout
