"""Text files beside the script: opened, edited by spans, undone, saved, never changed where they come with Segue."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import segue
from segue.dance import preview
from segue.dance.notation import parse
from segue.dance.patterns import SHIPPED
from segue.serve.document import autosave_of
from segue.serve.files import watch
from segue.serve.message import Request
from segue.serve.requests import (
    Change,
    Commit,
    Edit,
    ListTexts,
    NewText,
    OpenText,
    Redo,
    Resolve,
    Revert,
    Save,
    Undo,
)
from segue.serve.text_requests import Rehearse
from tests.serve.engines import Page, engine_of, of_kind

SHIPPED_TEXT = (SHIPPED / "foxtrot" / "forward_basic.dance").read_text(encoding="utf-8")
PATTERN = "# mine 🕺\n" + SHIPPED_TEXT


@pytest.fixture
def page(tmp_path: Path) -> Any:
    (tmp_path / "mine.dance").write_text(PATTERN, encoding="utf-8")
    with engine_of(tmp_path) as made:
        yield made


def asked(page: Page, request: Request, kind: str = "text") -> dict[str, Any]:
    return of_kind(page.ask(request), kind)


def words(text: dict[str, Any], row: str) -> list[str]:
    (found,) = (each for each in text["outline"]["rows"] if each["name"] == row)
    units = text["text"].encode("utf-16-le")
    for cell in found["cells"]:
        # a cell's span is what lies between its bars
        assert units[2 * cell["start"] : 2 * cell["stop"]].decode("utf-16-le").strip() == cell["words"]
    return [cell["words"] for cell in found["cells"]]


def test_files_of_a_kind_are_listed_segues_own_too(page: Page, tmp_path: Path) -> None:
    (tmp_path / ".hidden.dance").write_text(PATTERN, encoding="utf-8")
    (tmp_path / "out.dance").symlink_to(SHIPPED / "waltz" / "box_step.dance")
    entries = asked(page, ListTexts("pattern"), "texts")["entries"]
    own = [each for each in entries if not each["original"]]
    assert own == [
        {"path": "mine.dance", "title": "forward basic", "group": "foxtrot", "about": "leader", "original": False}
    ]
    assert len(entries) - 1 == len(list(SHIPPED.rglob("*.dance")))
    for each in entries:
        assert asked(page, OpenText("pattern", each["path"]))["outline"] is not None


def test_a_gesture_is_one_step_undo_is_byte_equal_and_the_file_is_written(page: Page, tmp_path: Path) -> None:
    text = asked(page, OpenText("pattern", "mine.dance"))
    assert words(text, "Foot Position")[2:4] == ["LF SWD", "RF CL/LF"]
    cell = text["outline"]["rows"][1]["cells"][0]
    for written in (" LF BWD ", " LF XIF "):
        change = Change(cell["start"], cell["stop"], written)
        page.ask(Edit(text["rev"], (change,), "drag", file="mine.dance"))
    done = asked(page, Commit("drag", file="mine.dance"))
    assert words(done, "Foot Position")[0] == "LF XIF"
    assert done["text"].replace("LF XIF", "LF FWD", 1) == PATTERN
    assert autosave_of(tmp_path / "mine.dance").read_text(encoding="utf-8") == done["text"]
    undone = asked(page, Undo(file="mine.dance"))
    assert (undone["text"], undone["undo"], undone["redo"]) == (PATTERN, False, True)
    again = asked(page, Redo(file="mine.dance"))
    assert again["text"] == done["text"]
    page.ask(Edit(again["rev"], (Change(0, 1, "x"),), "esc", file="mine.dance"))
    assert asked(page, Revert("esc", file="mine.dance"))["text"] == done["text"]
    saved = page.ask(Save(file="mine.dance"))
    assert of_kind(saved, "saved")["path"] == "mine.dance"
    assert (tmp_path / "mine.dance").read_text(encoding="utf-8") == done["text"]
    assert not autosave_of(tmp_path / "mine.dance").exists()
    assert page.engine.document.text != done["text"]  # the script is another document


def test_what_is_wrong_has_a_sentence_and_its_cell_in_every_step(page: Page) -> None:
    text = asked(page, OpenText("pattern", "mine.dance"))
    cells = text["outline"]["rows"][1]["cells"]
    spoilt = tuple(
        Change(cells[k]["start"], cells[k]["stop"], f" {words} ")
        for k, words in ((0, "RF FWDD"), (2, "RF LF"), (5, "HOLD"))
    )
    made = asked(page, Edit(text["rev"], spoilt, file="mine.dance"))
    found = made["diagnostics"]
    assert [each["severity"] for each in found] == ["error"] * 3
    places = [each["stop"] for each in made["outline"]["rows"][1]["cells"]]
    assert [places.index(each["stop"]) for each in found[:2]] == [0, 2]
    assert "did you mean FWD" in found[0]["sentence"]
    assert made["outline"]["partner"] == []
    # a foot that bears the weight cannot move: the pattern can be read, but not danced
    again = asked(page, Undo(file="mine.dance"))
    change = Change(cells[1]["start"], cells[1]["stop"], " LF FWD ")
    made = asked(page, Edit(again["rev"], (change,), file="mine.dance"))
    assert "bears the weight since step 1" in made["diagnostics"][0]["sentence"]
    assert made["diagnostics"][0]["start"] == cells[1]["start"]


def test_originals_stay_and_copies_are_changed(page: Page, tmp_path: Path) -> None:
    name = "segue:foxtrot/forward_basic.dance"
    text = asked(page, OpenText("pattern", name))
    assert text["original"]
    assert text["text"] == SHIPPED_TEXT
    refused = asked(page, Edit(text["rev"], (Change(0, 1, "x"),), file=name), "error")
    assert "stays as it is" in refused["sentence"]
    assert "save a copy" in asked(page, Save(file=name), "error")["sentence"]
    made = page.ask(Save("foxtrot/forward_basic.dance", file=name))
    assert of_kind(made, "text")["file"] == "foxtrot/forward_basic.dance"
    assert (tmp_path / "foxtrot" / "forward_basic.dance").read_text(encoding="utf-8") == SHIPPED_TEXT
    assert "exists" in asked(page, Save("foxtrot/forward_basic.dance", file=name), "error")["sentence"]
    for bad in ("../x.dance", "/x.dance", "x.segue", "../../up/x.dance"):
        assert asked(page, Save(bad, file=name), "error")["sentence"]
    assert not (tmp_path.parent / "up").exists()
    for bad in ("segue:../store.py", "segue:nothing.dance", "nothing.dance", "/etc/passwd"):
        assert asked(page, OpenText("pattern", bad), "error")["sentence"]


def test_a_new_pattern_is_plain_and_whole(page: Page, tmp_path: Path) -> None:
    text = asked(page, NewText("pattern", "waltz/my turn"))
    assert text["file"] == "waltz/my_turn.dance"
    assert text["diagnostics"] == []
    assert parse(text["text"]).beats_per_bar == 3
    assert (tmp_path / "waltz" / "my_turn.dance").read_text(encoding="utf-8") == text["text"]
    assert "exists" in asked(page, NewText("pattern", "waltz/my turn"), "error")["sentence"]
    assert "dance/pattern" in asked(page, NewText("pattern", "waltz"), "error")["sentence"]
    assert "gest" in asked(page, NewText("gest", "x"), "error")["sentence"]


def test_the_partners_part_is_written_beside_the_file(page: Page, tmp_path: Path) -> None:
    leader = asked(page, OpenText("pattern", "mine.dance"))
    made = asked(page, NewText("pattern", partner="mine.dance"))
    assert made["file"] == "mine.follower.dance"
    assert made["outline"]["partner_file"] == "mine.dance"
    assert [list(each) for each in leader["outline"]["partner"]] == [
        [each["name"], *(cell["words"] for cell in each["cells"])] for each in made["outline"]["rows"]
    ]
    # a part of its own that does not fit is reported in both files
    cell = made["outline"]["rows"][1]["cells"][0]
    spoilt = asked(page, Edit(made["rev"], (Change(cell["start"], cell["stop"], " LF BWD "),), file=made["file"]))
    assert any("RF is needed" in each["sentence"] for each in spoilt["diagnostics"])
    page.ask(Save(file=made["file"]))
    again = asked(page, OpenText("pattern", "mine.dance"))
    assert any("RF is needed" in each["sentence"] for each in again["diagnostics"])
    refused = asked(page, NewText("pattern", partner="segue:waltz/box_step.dance"), "error")
    assert "not open" in refused["sentence"]


def test_a_file_changed_outside_offers_both_texts(page: Page, tmp_path: Path) -> None:
    text = asked(page, OpenText("pattern", "mine.dance"))
    page.ask(Edit(text["rev"], (Change(0, 0, "# more\n"),), file="mine.dance"))
    theirs = PATTERN.replace("NP", "LL")
    (tmp_path / "mine.dance").write_text(theirs, encoding="utf-8")
    watch(page.engine)
    conflict = page.last("conflict")
    assert (conflict["file"], conflict["theirs"]) == ("mine.dance", theirs)
    assert "decide first" in asked(page, Save(file="mine.dance"), "error")["sentence"]
    assert asked(page, Resolve("theirs", file="mine.dance"))["text"] == theirs
    assert asked(page, Undo(file="mine.dance"))["text"] == "# more\n" + PATTERN


def test_a_crash_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.dance").write_text(PATTERN, encoding="utf-8")
    autosave_of(tmp_path / "mine.dance").write_text("# newer\n" + PATTERN, encoding="utf-8")
    with engine_of(tmp_path) as page:
        found = page.ask(OpenText("pattern", "mine.dance"))
        assert of_kind(found, "text")["text"] == "# newer\n" + PATTERN
        assert of_kind(found, "conflict")["recovered"]
        assert asked(page, Resolve("mine", file="mine.dance"))["text"] == PATTERN


def test_a_pattern_is_rehearsed_alone_and_as_a_couple(page: Page) -> None:
    text = asked(page, OpenText("pattern", "mine.dance"))
    steps = text["outline"]["floor"]["steps"]
    assert [each["moves"] for each in steps] == ["left", "right"] * 4
    assert steps[0]["left"]["z"] > steps[0]["right"]["z"]
    found = page.ask(Rehearse("mine.dance"))
    assert [each["part"] for each in of_kind(found, "rehearsal")["floors"]] == ["leader"]
    motion = of_kind(found, "motion")
    assert (motion["role"], motion["node"], motion["rev"]) == ("rehearsed", "mine.dance", text["rev"])
    segue.save(preview("foxtrot/forward basic"), page.engine.folder / "danced.bvh")
    found = page.ask(Rehearse("mine.dance", couple=True, beside="danced.bvh"))
    assert [each["part"] for each in of_kind(found, "rehearsal")["floors"]] == ["leader", "follower"]
    assert [each["index"] for each in found if each["kind"] == "motion"] == [0, 1, 2]
    turned = PATTERN.replace("| NT     | ----   | ----   |", "| NT     | 3/4 L  | ----   |").replace(
        "RF FWD", "RF XIF", 1
    )
    turned = "\n".join(line for line in turned.split("\n") if not line.startswith("finish"))
    page.ask(Edit(text["rev"], (Change(0, len(PATTERN.encode("utf-16-le")) // 2, turned),), file="mine.dance"))
    warned = of_kind(page.ask(Rehearse("mine.dance")), "rehearsal")["warnings"]
    assert {each["step"] for each in warned} <= set(range(1, 9))
    assert "beyond its range" in warned[0]["sentence"]
