"""Gestures, dancers and environments in pages: values set by place, limbs dragged, and reasons where it is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from segue.cli import app
from segue.dance.behaviour import Environment, Ground, environment_text, read_dancer, read_environment
from segue.dance.gestures import SHIPPED, Category, read_gestures
from segue.serve.requests import Commit, Edit, NewText, OpenText, Save, Undo
from segue.serve.text_requests import (
    AdoptGesture,
    GoalOf,
    ListTable,
    Pose,
    SetValues,
    TomlValue,
    ViewText,
)
from tests.serve.engines import Page, engine_of, of_kind

ARMS = "# our arms 🕺\n" + (SHIPPED / "arms.toml").read_text(encoding="utf-8")
ADA = """# Ada 💃 and Ben
name = "Ada and Ben"   # who

[character]
drive = 0.81       # how keen

[vocabulary.waltz]
"box step" = { skill = 0.95, liking = 0.5 }  # the first
hesitation = 0.97
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("dancers")
    (made / "gestures").mkdir()
    (made / "gestures" / "arms.toml").write_text(ARMS, encoding="utf-8")
    (made / "ada.toml").write_text(ADA, encoding="utf-8")
    hall = Environment(minutes=0.05, couples=2, floor=Ground(6, 7), dancers=("ada.toml",))
    (made / "hall.toml").write_text(environment_text(hall), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def page(folder: Path) -> Any:
    with engine_of(folder) as made:
        yield made


def opened(page: Page, what: str, file: str) -> dict[str, Any]:
    return of_kind(page.ask(OpenText(what, file)), "text")


def changed(page: Page, request: Any) -> dict[str, Any]:
    return of_kind(page.ask(request), "text")


def refused(page: Page, request: Any) -> str:
    return str(of_kind(page.ask(request), "error")["sentence"])


def setting(text: dict[str, Any], table: str, name: str) -> dict[str, Any]:
    (found,) = (each for each in text["outline"]["tables"] if each["name"] == table)
    return next(dict(each) for each in found["settings"] if each["name"] == name)


def test_a_slider_changes_its_number_alone_and_undo_is_byte_equal(page: Page) -> None:
    text = opened(page, "dancer", "ada.toml")
    drive = setting(text, "character", "drive")
    assert (drive["value"], drive["given"], drive["least"], drive["most"]) == (0.81, True, 0.0, 1.0)
    assert setting(text, "habits", "rise") | {"place": 0} == setting(text, "habits", "rise") | {
        "given": False,
        "place": 0,
    }
    for value in ("0.5", "0.4"):
        moved = changed(page, SetValues("ada.toml", text["rev"], (TomlValue(tuple(drive["place"]), value),), "drag"))
    assert moved["text"] == ADA.replace("drive = 0.81 ", "drive = 0.4 ")
    page.ask(Commit("drag", file="ada.toml"))
    undone = changed(page, Undo(file="ada.toml"))
    assert undone["text"] == ADA
    assert not undone["undo"]


def test_skill_and_liking_of_patterns_are_set_taught_and_forgotten(page: Page) -> None:
    text = opened(page, "dancer", "ada.toml")
    waltz = text["outline"]["dances"][0]
    assert waltz["name"] == "waltz"
    known = {each["name"]: each for each in waltz["patterns"] if each["known"]}
    assert known["hesitation"]["bare"]
    assert (known["box step"]["skill"], known["box step"]["liking"], known["hesitation"]["skill"]) == (0.95, 0.5, 0.97)
    new = next(each for each in waltz["patterns"] if not each["known"])
    values = (
        TomlValue((*known["box step"]["place"], "skill"), "0.6"),
        TomlValue(tuple(known["hesitation"]["place"]), "{ skill = 0.97, liking = 0.1 }"),
        TomlValue(tuple(new["place"]), "{ skill = 0.8, liking = 0.5 }"),
    )
    made = changed(page, SetValues("ada.toml", text["rev"], values, done=True))["text"]
    wanted = ADA.replace("skill = 0.95", "skill = 0.6").replace("0.97", "{ skill = 0.97, liking = 0.1 }")
    assert made.startswith(wanted)
    assert made.removeprefix(wanted).count("\n") == 1
    assert changed(page, Undo(file="ada.toml"))["text"] == ADA
    rev = opened(page, "dancer", "ada.toml")["rev"]
    gone = changed(page, SetValues("ada.toml", rev, (TomlValue(("vocabulary", "waltz", "hesitation"), ""),), done=True))
    assert gone["text"] == ADA.replace("hesitation = 0.97\n", "")
    changed(page, Undo(file="ada.toml"))


def test_what_is_wrong_stands_at_its_line(page: Page) -> None:
    text = opened(page, "dancer", "ada.toml")
    wrong = changed(page, SetValues("ada.toml", text["rev"], (TomlValue(("character", "drive"), "1.5"),), done=True))
    (said,) = wrong["diagnostics"]
    units = wrong["text"].encode("utf-16-le")
    assert units[2 * said["start"] : 2 * said["stop"]].decode("utf-16-le").startswith("drive = 1.5")
    assert "'drive'" in said["sentence"]
    assert changed(page, Undo(file="ada.toml"))["diagnostics"] == []
    rev = opened(page, "dancer", "ada.toml")["rev"]
    place = ("vocabulary", "waltz", "box trot")
    unknown = changed(page, SetValues("ada.toml", rev, (TomlValue(place, "0.5"),), done=True))
    assert "has no pattern 'box trot'" in unknown["diagnostics"][0]["sentence"]
    assert changed(page, Undo(file="ada.toml"))["text"] == ADA
    rev = opened(page, "dancer", "ada.toml")["rev"]
    assert "is no value of TOML" in refused(page, SetValues("ada.toml", rev, (TomlValue(("name",), "1\n2"),)))
    assert "is no value of TOML" in refused(page, SetValues("ada.toml", rev, (TomlValue(("name",), "1 # x\nb = 2"),)))
    assert "is a table" in refused(page, SetValues("ada.toml", rev, (TomlValue(("character",), "1"),)))


def test_a_change_of_an_older_text_is_refused(page: Page) -> None:
    text = opened(page, "dancer", "ada.toml")
    stale = changed(page, SetValues("ada.toml", text["rev"] - 1, (TomlValue(("name",), '"x"'),), done=True))
    assert stale["refused"]
    assert stale["text"] == ADA


def test_what_a_dancer_would_choose(page: Page) -> None:
    opened(page, "dancer", "ada.toml")
    said = of_kind(page.ask(ViewText("ada.toml", dance="waltz")), "chosen")
    assert {each["pattern"] for each in said["patterns"]} <= {"box step", "hesitation", "hold", "step aside"}
    assert said["seconds"] > 100.0
    assert sum(each["count"] for each in said["patterns"]) > 10
    assert "cannot dance the tango" in refused(page, ViewText("ada.toml", dance="tango"))


def test_a_dragged_hand_turns_the_arm_alone(page: Page, folder: Path) -> None:
    text = opened(page, "gestures", "gestures/arms.toml")
    outline = text["outline"]
    assert (outline["category"], text["diagnostics"]) == (Category.ARMS, [])
    assert outline["others"]["left_knee"] == Category.FOOT
    goal = GoalOf("leader")
    posed = page.ask(ViewText("gestures/arms.toml", goal))
    assert of_kind(posed, "motion")["role"] == "text"
    least, most = of_kind(posed, "posed")["ranges"]["left_elbow"]["flexion"]
    assert (least, most) == (-8.0, 155.0)
    hand = (0.5, 1.5, 0.3)
    pose = Pose("gestures/arms.toml", text["rev"], goal, "left_hand", (0.0, 0.0, 0.0), hand, "drag")
    moved = changed(page, pose)
    page.ask(Commit("drag", file="gestures/arms.toml"))
    before, after = ARMS.split("\n\n"), moved["text"].split("\n\n")
    assert [k for k, part in enumerate(after) if part != before[k]] == [1], "the leader's goal alone"
    lines = list(zip(before[1].split("\n"), after[1].split("\n"), strict=True))
    assert {one.split(" =")[0] for one, other in lines if one != other} <= {
        "left_clavicle", "left_shoulder", "left_elbow", "left_wrist",
    }  # fmt: skip
    assert moved["diagnostics"] == []
    of_kind(page.ask(Save(file="gestures/arms.toml")), "saved")
    turned = read_gestures(folder / "gestures" / "arms.toml").usual["leader"].goals[0]["left_elbow"]["flexion"]
    assert turned != 69.0
    assert changed(page, Undo(file="gestures/arms.toml"))["text"] == ARMS


def test_limbs_of_other_categories_are_refused_with_the_reason(page: Page) -> None:
    text = opened(page, "gestures", "gestures/arms.toml")
    pose = Pose("gestures/arms.toml", text["rev"], GoalOf("leader"), "left_shank", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    assert refused(page, pose).startswith("left_knee belongs to Foot Position: gestures of Arms move left_clavicle")
    place = ("leader", "goals", "0", "left_knee", "flexion")
    said = changed(page, SetValues("gestures/arms.toml", text["rev"], (TomlValue(place, "9"),), done=True))
    assert "a joint belongs to one category" in said["diagnostics"][0]["sentence"]
    changed(page, Undo(file="gestures/arms.toml"))
    rev = opened(page, "gestures", "gestures/arms.toml")["rev"]
    place = ("leader", "goals", "0", "left_elbow", "flexion")
    said = changed(page, SetValues("gestures/arms.toml", rev, (TomlValue(place, "170"),), done=True))
    assert "15 degrees beyond what the joint can do" in said["diagnostics"][0]["sentence"]
    assert "15 degrees beyond" in refused(page, ViewText("gestures/arms.toml", GoalOf("leader")))
    assert changed(page, Undo(file="gestures/arms.toml"))["text"] == ARMS


def test_the_mirror_image_is_posed_for_the_left_foot(page: Page) -> None:
    made = changed(page, NewText("gestures", "Foot Position"))
    assert made["text"] == (SHIPPED / "foot_position.toml").read_text(encoding="utf-8")
    file, poses = made["file"], []
    for mirrored, segment, side in ((False, "left_foot", 1.0), (True, "right_foot", -1.0)):
        goal = GoalOf("FWD", mirrored=mirrored)
        place = (side * 0.1, 0.2, 0.35)
        poses.append(changed(page, Pose(file, made["rev"], goal, segment, (0.0, 0.0, 0.0), place, "g"))["text"])
    page.ask(Commit("g", file=file))
    assert poses[0] == poses[1] != made["text"]
    changed(page, Undo(file=file))


def test_goals_are_added_taken_away_and_adopted(page: Page) -> None:
    text = opened(page, "gestures", "gestures/arms.toml")
    more = changed(page, ListTable("gestures/arms.toml", text["rev"], ("leader", "goals"), "{ left_wrist = {} }"))
    assert len(more["outline"]["symbols"][0]["goals"]) == 2
    less = changed(page, ListTable("gestures/arms.toml", more["rev"], ("leader", "goals", "1")))
    assert less["text"].replace("\n\n\n", "\n\n") == ARMS
    page.ask(Undo(file="gestures/arms.toml"))
    assert changed(page, Undo(file="gestures/arms.toml"))["text"] == ARMS
    made = changed(page, NewText("gestures", "Head Position"))
    change = {"start": 0, "stop": len(made["text"]), "text": 'category = "Head Position"\n'}
    edit = Edit(made["rev"], (), file=made["file"])
    page.engine.receive(
        page.client, json.dumps({"kind": "edit", "file": edit.file, "rev": edit.rev, "changes": [change]})
    )
    bare = page.last("text")
    assert [each["given"] for each in bare["outline"]["symbols"]] == [False] * 3
    own = changed(page, AdoptGesture(made["file"], bare["rev"], GoalOf("LL")))
    assert own["text"] == 'category = "Head Position"\n\n[[LL.goals]]\nneck = { turn = 45.0 }\n'


def test_an_evening_is_danced_from_the_text(page: Page, folder: Path) -> None:
    text = opened(page, "environment", "hall.toml")
    assert text["diagnostics"] == []
    assert [each["name"] for each in text["outline"]["dancers"]] == ["Ada and Ben"]
    width = setting(text, "floor", "width")
    made = changed(page, SetValues("hall.toml", text["rev"], (TomlValue(tuple(width["place"]), "6.5"),), done=True))
    evening = page.ask(ViewText("hall.toml"))[-1]
    assert (evening["kind"], evening["share"]) == ("evening", 1.0)
    assert evening["contents"]["width"] == 6.5
    assert [each["name"] for each in evening["fared"]] == ["Ada and Ben", "couple 2"]
    crowd = changed(page, SetValues("hall.toml", made["rev"], (TomlValue(("couples",), "20"),), done=True))
    assert "there is room to dance for" in refused(page, ViewText("hall.toml"))
    lost = changed(page, SetValues("hall.toml", crowd["rev"], (TomlValue(("dancers",), '["eve.toml"]'),), done=True))
    assert "eve.toml" in lost["diagnostics"][0]["sentence"]
    assert lost["outline"]["others"][0]["file"] == "ada.toml"
    for _ in range(3):
        last = changed(page, Undo(file="hall.toml"))
    assert last["text"] == text["text"]


def test_commands_read_what_the_studio_saves(page: Page, folder: Path) -> None:
    values = (TomlValue(("character", "boldness"), "0.25"), TomlValue(("leader", "stature"), "1.82"))
    rev = opened(page, "dancer", "ada.toml")["rev"]
    changed(page, SetValues("ada.toml", rev, values, done=True))
    of_kind(page.ask(Save(file="ada.toml")), "saved")
    assert read_dancer(folder / "ada.toml").character.boldness == 0.25
    assert read_environment(folder / "hall.toml").dancers == ("ada.toml",)
    done = CliRunner().invoke(app, ["dance", "dancer", "check", str(folder / "ada.toml")])
    assert (done.exit_code, "no fault found" in done.output) == (0, True), done.output
    done = CliRunner().invoke(app, ["dance", "environment", "check", str(folder / "hall.toml")])
    assert (done.exit_code, "no fault found" in done.output) == (0, True), done.output
