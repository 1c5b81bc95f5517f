"""`segue check` as scripts and people meet it: exit codes, JSON, table and picture."""

from __future__ import annotations

import json
import sys
import warnings
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from segue import clips
from segue.cli import main
from segue.io import write
from segue.motion.clip import Clip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a good clip, and one whose feet slide 15 cm from 1 to 2 s."""
    folder = tmp_path_factory.mktemp("check")
    good = clips.clip("stand")
    write(good, folder / "good.bvh")
    positions = good.positions.copy()
    positions[:, 0, 2] += 0.15 * np.clip(good.times - 1.0, 0.0, 1.0)
    write(Clip.from_arrays(good.skeleton, positions, good.rotations.copy(), good.fps), folder / "slid.glb")
    return folder


_COUNTS = {"name", "tests", "failures", "errors", "time"}
JUNIT: dict[str, tuple[set[str], set[str]]] = {
    "testsuites": (_COUNTS, {"testsuite"}),
    "testsuite": (_COUNTS | {"skipped"}, {"testcase"}),
    "testcase": ({"classname", "name", "time"}, {"failure", "error", "skipped", "system-out"}),
    "failure": ({"message", "type"}, set()),
    "error": ({"message", "type"}, set()),
    "system-out": (set(), set()),
}
"""The attributes and children that each element of JUnit XML may have, by the schema of Jenkins' xUnit plugin."""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `segue check` in this process, which is quicker than one of its own: exit code, stdout and stderr."""
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["segue", "check", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        return int(stop.value.code or 0), *capsys.readouterr()

    return run


def report_of(shown: str) -> dict[str, Any]:
    """Return the report on the only clip of printed JSON."""
    (report,) = json.loads(shown)["clips"]
    return dict(report)


def test_a_good_clip_passes(folder: Path, here: Run) -> None:
    code, shown, told = here(folder / "good.bvh")
    assert code == 0, told
    assert "241 frames: nothing found" in shown
    for measure in ("foot slide", "sink", "floor penetration", "joint limits", "joint pop", "jerk", "flight", "torque"):
        assert measure in shown


def test_a_fault_fails_with_place_and_size(folder: Path, here: Run) -> None:
    code, printed, told = here(folder / "slid.glb", "--json", "-")
    assert code == 1, told
    found = report_of(printed)
    assert found["severity"] == "fault"
    assert found["slide"]["slide_cm"] == pytest.approx(15, abs=1.5)
    (fault,) = [finding for finding in found["findings"] if finding["severity"] == "fault"]
    assert (fault["measure"], fault["unit"], fault["fault_above"]) == ("foot slide", "cm", 3.7)
    assert fault["time_s"] == pytest.approx(1.5, abs=0.5)
    code, shown, _ = here(folder / "slid.glb")
    assert code == 1
    assert "1 fault" in shown


def test_thresholds_and_window_decide(folder: Path, here: Run) -> None:
    assert here(folder / "slid.glb", "--max", "slide_cm=20")[0] == 0
    assert here(folder / "slid.glb", "--max", "slide_cm=10,20", "--strict")[0] == 1
    assert here(folder / "slid.glb", "--from", 2.2)[0] == 0
    code, shown, _ = here(folder / "slid.glb", "--max", "slide_cm=inf", "--json", "-")
    assert code == 0
    assert report_of(shown)["findings"][0]["fault_above"] is None
    assert here("clips.run", "--max", "jerk=1")[0] == 1


def test_a_clip_is_compared_with_its_source(folder: Path, here: Run) -> None:
    code, shown, _ = here(folder / "slid.glb", "--baseline", folder / "slid.glb")
    assert code == 0, shown
    code, shown, _ = here(folder / "slid.glb", "--baseline", folder / "good.bvh", "--json", "-")
    assert code == 1
    (fault,) = [finding for finding in report_of(shown)["findings"] if finding["severity"] == "fault"]
    assert fault["added_to_source"]
    assert fault["value"] == pytest.approx(15, abs=1)


def test_a_folder_is_checked_at_once_the_worst_first(folder: Path, here: Run, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("good.bvh", "slid.glb"):
        (tmp_path / "deep" / name).write_bytes((folder / name).read_bytes())
    code, shown, _ = here(tmp_path, "--json", tmp_path / "r.json", "--junit", tmp_path / "r.xml")
    assert code == 1
    assert shown.index("slid.glb") < shown.index("good.bvh")
    assert "2 clips: 0 not read, 1 fault, 0 suspicious, 1 fine" in shown
    assert [Path(each["clip"]).name for each in json.loads((tmp_path / "r.json").read_text())["clips"]] == [
        "good.bvh", "slid.glb",
    ]  # fmt: skip
    (tmp_path / "broken.bvh").write_text("HIERARCHY\nROOT Hips\n{\n")
    code, shown, _ = here(tmp_path, "--junit", tmp_path / "r.xml")
    assert code == 2
    suites = ElementTree.parse(tmp_path / "r.xml").getroot()
    assert (suites.tag, suites.get("failures"), suites.get("errors")) == ("testsuites", "1", "1")
    cases = {Path(str(case.get("classname"))).name: case for case in suites.iter("testcase") if len(case)}
    assert [child.tag for child in cases["broken.bvh"]] == ["error"]
    assert cases["slid.glb"].find("failure") is not None
    for element in suites.iter():
        # what Jenkins, GitLab and GitHub actions read of JUnit XML
        attributes, children = JUNIT[element.tag]
        assert set(element.keys()) <= attributes
        assert {child.tag for child in element} <= children
    for suite in suites:
        assert int(suite.get("tests", "")) == len(suite)
        assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure"))
    # each clip of a folder has its source in the other
    assert here(tmp_path / "deep", "--baseline", tmp_path / "deep")[0] == 0
    code, shown, _ = here(tmp_path / "deep", "--baseline", folder.parent)
    assert code == 2
    assert "has no baseline" in " ".join(shown.split())


def test_a_project_has_its_own_thresholds_and_exceptions(folder: Path, here: Run, tmp_path: Path) -> None:
    for name in ("good.bvh", "slid.glb"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    config = tmp_path / "segue-check.toml"
    config.write_text("[thresholds]\nslide_cm = [10, 20]\n")
    assert here(tmp_path / "slid.glb")[0] == 0
    assert here(tmp_path / "slid.glb", "--strict")[0] == 1
    config.write_text('[clips."slid*"]\nslide_cm = 20\n')
    assert here(tmp_path)[0] == 0
    config.write_text('[clips."slid*"]\nskip = true\n')
    code, shown, _ = here(tmp_path)
    assert code == 0
    assert "skipped" in shown
    assert here(tmp_path, "--config", tmp_path / "nothing.toml")[0] == 2


def test_scripts_are_checked_like_clips(folder: Path, here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / "late.segue").write_text("retime(clips.walk, 2)\n")
    code, shown, _ = here("late.segue", "--json", "-")
    assert code == 0
    found = report_of(shown)
    assert (found["start_s"], found["stop_s"]) == (2.0, pytest.approx(5.2))
    (folder / "number.segue").write_text("1 + 1\n")
    code, _, complaint = here("number.segue")
    assert code == 2
    assert "motion" in complaint


def test_the_picture_is_drawn(folder: Path, here: Run) -> None:
    for name, first in (("slid.png", b"\x89PNG"), ("slid.svg", b"<?xml")):
        assert here(folder / "slid.glb", "--plot", folder / name)[0] == 1
        drawn = (folder / name).read_bytes()
        assert drawn.startswith(first)
        assert len(drawn) > 10_000


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("nothing.bvh",), "nothing.bvh"),
        (("clips.stand", "--from", "9"), "4 s"),
        (("clips.stand", "--max", "slide_cm=-1"), "slide_cm"),
        (("clips.stand", "--max", "slide_cm"), "NAME=VALUE"),
        (("clips.stand", "--max", "sliding=1"), "slide_cm"),
        (("clips.stand", "--json", "none/r.json"), "none"),
        (("clips.stand", "clips.walk", "--plot", "out.png"), "one clip"),
        ((".",), "holds no clips"),
        (("clips.stand", "--ground", "nan"), "the height of the ground is nan"),
        (("clips.stand", "--plot", "out.txt"), ".png"),
        (("clips.moonwalk",), "walk"),
        (("walk.mot",), "there is no such file"),
    ],
)
def test_bad_input_is_not_a_fault(
    arguments: tuple[str, ...], word: str, tmp_path: Path, here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, shown, complaint = here(*arguments)
    assert code == 2
    assert shown == ""
    assert word in complaint
    assert not list(tmp_path.iterdir())
