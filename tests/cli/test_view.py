"""`segue view` as scripts and people meet it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import segue as sg

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown_in(page: Path) -> list[dict]:
    """Return the motions that a page was given."""
    found = re.search(r'id="contents">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return json.loads(found[1])["motions"]


def test_a_clip_becomes_a_page(folder: Path, command: Run) -> None:
    code, told, complaint = command("view", "clips.walk")
    assert (code, complaint) == (0, "")
    assert told.startswith("view.html: 1 motion, ")
    (walk,) = shown_in(folder / "view.html")
    assert (walk["label"], walk["frames"], walk["fps"]) == ("clips.walk", len(sg.clips.walk), 60)


def test_clips_and_scripts_are_compared(folder: Path, command: Run) -> None:
    (folder / "joined.segue").write_text("transition(clips.walk, clips.run, 0.5)", encoding="utf-8")
    (folder / "both.segue").write_text("[clips.walk, clips.run]", encoding="utf-8")
    sg.save(sg.clips.walk, folder / "walk.bvh")
    code, told, complaint = command(
        "view", "walk.bvh", "joined.segue", "both.segue", "-o", "a.html", "--title", "A & B"
    )
    assert (code, complaint) == (0, "")
    assert "4 motions" in told
    motions = shown_in(folder / "a.html")
    assert [motion["label"] for motion in motions] == ["walk.bvh", "joined.segue", "both.segue", "both.segue (2)"]
    assert [len(motion["fills"]) for motion in motions] == [0, 1, 0, 0]
    assert "<title>A &amp; B</title>" in (folder / "a.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("found", [True, False])
def test_the_browser_is_opened_where_there_is_one(
    folder: Path, command: Run, monkeypatch: pytest.MonkeyPatch, found: bool
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: bool(asked.append(address)) or found)
    code, _, complaint = command("view", "clips.stand", "--open")
    assert asked == [(folder / "view.html").as_uri()]
    assert code == (0 if found else 1)
    assert ("no browser was found" in complaint) is not found


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("clips.nod",), "there is no built-in clip 'nod'"),
        (("nowhere.bvh",), "there is no such file"),
        (("clips.walk", "-o", "walk.png"), "a page's name ends in .html"),
        (("clips.walk", "-o", "nowhere/walk.html"), "there is no folder"),
        (("number.segue",), "does not end in a motion"),
    ],
)
def test_bad_input_is_one_sentence(folder: Path, command: Run, arguments: tuple[str, ...], sentence: str) -> None:
    (folder / "number.segue").write_text("1 + 1", encoding="utf-8")
    code, _, complaint = command("view", *arguments)
    assert code == 2
    assert sentence in complaint
    assert "Traceback" not in complaint
    assert [path.name for path in folder.iterdir()] == ["number.segue"]


def test_a_mesh_is_shown_unless_it_is_not_wanted(tmp_path: Path, command: Run) -> None:
    character = Path(__file__).parents[1] / "io" / "character" / "character.glb"
    for options, shown in (((), True), (("--no-mesh",), False)):
        out = tmp_path / f"view_{shown}.html"
        assert command("view", f"{character}#Walk", "-o", out, *options)[0] == 0
        assert ('"skin":null' not in out.read_text(encoding="utf-8")) == shown
    assert command("plot", f"{character}#Walk", "--kind", "film", "--frames", "2", "-o", tmp_path / "film.png")[0] == 0
