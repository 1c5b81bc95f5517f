"""Documents: gestures are one step of undo, texts come back byte for byte, a crash loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.errors import ArgumentError
from segue.language.parser import parse
from segue.serve.document import Document, autosave_of, changed_text, utf16
from segue.serve.outline import outline
from segue.serve.preview import Preview
from segue.serve.requests import Change


def test_a_gesture_is_one_step_and_esc_restores_the_text() -> None:
    document = Document("leave=1.9")
    for number in ("1.91", "2", "2.25"):
        assert document.edit(1, (Change(6, 9, number),), "drag")
    assert document.text == "leave=2.25"
    document.commit()
    document.undo()
    assert document.text == "leave=1.9"
    document.redo()
    assert document.text == "leave=2.25"
    rev = document.rev
    assert document.edit(rev, (Change(0, 5, "enter"),), "again")
    document.revert()
    assert document.text == "leave=2.25"
    assert document.can_undo
    assert not document.edit(rev, (Change(0, 5, "x"),))


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.text("a😀ä1", max_size=3)), max_size=12))
def test_undo_of_everything_is_byte_equal(edits: list[tuple[int, int, str]]) -> None:
    begin = "m = 😀 ä + 1.5"
    document = Document(begin)
    for a, b, text in edits:
        try:
            document.edit(document.rev, (Change(min(a, b), max(a, b), text),))
        except ArgumentError:
            continue
    end = document.text
    while document.can_undo:
        document.undo()
    assert document.text == begin
    while document.can_redo:
        document.redo()
    assert document.text == end


def test_offsets_are_those_of_javascript() -> None:
    text = "# 😀\nretime(a, 1)"
    at = utf16(text, text.index("1"))
    assert at == text.index("1") + 1
    assert changed_text(text, (Change(at, at + 1, "2"),)) == text.replace("1", "2")
    node = next(each for each in outline(parse(text), text) if each.what == "number")
    assert (node.start, node.parameter) == (at, "start")
    with pytest.raises(ArgumentError, match="in two"):
        changed_text(text, (Change(3, 4, ""),))


def test_the_autosave_holds_the_newest_text_until_it_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "a.segue"
    file.write_text("clips.walk")
    document, recovered = Document.open(file)
    assert recovered is None
    document.edit(1, (Change(6, 10, "run"),))
    again, recovered = Document.open(file)
    assert (again.text, recovered) == ("clips.walk", "clips.run")
    document.save()
    assert file.read_text() == "clips.run"
    assert not autosave_of(file).exists()
    assert [each.name for each in tmp_path.iterdir()] == ["a.segue"]


def test_a_change_by_another_program_is_seen_once(tmp_path: Path) -> None:
    file = tmp_path / "a.segue"
    file.write_text("clips.walk")
    document, _ = Document.open(file)
    assert document.changed_outside() is None
    file.write_text("clips.wave # theirs")
    assert document.changed_outside() == "clips.wave # theirs"
    document.accept_outside()
    assert document.changed_outside() is None


def test_a_preview_has_the_value_of_every_node_and_writes_nothing(tmp_path: Path) -> None:
    text = 'a = retime(clips.walk, 1)\nsave(a, "x.bvh")'
    preview = Preview(tmp_path)
    made = preview.run(1, text, parse(text))
    assert made.shown == "1/0/0"
    assert made.motion is made.values["0/0"]
    assert not made.described()["0/0"].cached
    again = preview.run(2, text, parse(text))
    assert again.described()["0/0"].cached
    assert again.motion is made.motion
    assert not list(tmp_path.iterdir())
