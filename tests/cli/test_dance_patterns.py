"""`segue dance list`, `show`, `new`, `copy`, `check` and `delete` do what they say."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from segue.dance.notation import Part, parse
from segue.dance.patterns import FOLDER_VARIABLE, DanceLibrary

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "dances"))
    return tmp_path / "dances"


@pytest.mark.usefixtures("folder")
def test_list(command: Command) -> None:
    code, out, _ = command("dance", "list")
    assert code == 0
    for entry in DanceLibrary().entries():
        assert entry.title in out
    code, out, _ = command("dance", "list", "Cha-Cha")
    assert "cha cha/new york" in out
    assert "waltz" not in out
    code, out, err = command("dance", "list", "waltzz")
    assert (code, out) == (2, "")
    assert "did you mean waltz?" in err


def test_list_goes_on_after_a_file_that_cannot_be_read(command: Command, folder: Path) -> None:
    (folder / "waltz").mkdir(parents=True)
    (folder / "waltz" / "broken.dance").write_text("hello", encoding="utf-8")
    code, out, _ = command("dance", "list", "waltz")
    assert code == 0
    assert "cannot be read" in out
    assert "waltz/box step" in out


@pytest.mark.usefixtures("folder")
def test_what_is_shown_is_a_file(command: Command) -> None:
    for part in Part:
        code, out, _ = command("dance", "show", "foxtrot/promenade", "--part", part)
        assert code == 0
        assert parse(out) == DanceLibrary().pattern("foxtrot/promenade", part)
    code, _, err = command("dance", "show", "foxtrot/promenad")
    assert code == 2
    assert err == "segue: error: the dance foxtrot has no pattern 'promenad', did you mean promenade?\n"


def test_new_check_and_delete(command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = command("dance", "new", "polka/hop")
    path = folder / "polka" / "hop.dance"
    assert code == 0
    assert str(path) in out
    assert command("dance", "check", path)[0] == 0
    assert command("dance", "check", "Polka/Hop")[:2] == (0, "polka/hop: no errors, no warnings\n")
    code, _, err = command("dance", "new", "polka/hop")
    assert code == 2
    assert "exists: choose another name" in err
    monkeypatch.setattr("sys.stdin", io.StringIO())
    code, _, err = command("dance", "delete", "polka/hop")
    assert code == 2
    assert "pass --yes to delete without asking" in err
    assert path.exists()
    assert command("dance", "delete", "polka/hop", "--yes")[0] == 0
    assert not path.parent.exists()


def test_delete_asks(command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command("dance", "copy", "tango/corte", "tango/dip")
    answers = {"n": True, "y": False}
    for answer, stays in answers.items():
        monkeypatch.setattr("typer.confirm", lambda _, answer=answer: answer == "y")
        code, out, _ = command("dance", "delete", "tango/dip")
        assert code == 0
        assert "dip.dance" in out
        assert (folder / "tango" / "dip.dance").exists() is stays


def test_delete_a_dance(command: Command, folder: Path) -> None:
    command("dance", "copy", "tango/corte", "mine/one")
    command("dance", "copy", "tango/corte", "mine/two")
    assert command("dance", "delete", "mine", "--yes")[0] == 0
    assert not (folder / "mine").exists()
    code, _, err = command("dance", "delete", "tango", "--yes")
    assert code == 2
    assert "what comes with Segue stays" in err


@pytest.mark.parametrize(
    "words", [["new", "waltz/mine", "--from", "waltz/hesitation"], ["copy", "hesitation", "waltz/mine"]]
)
def test_copies(command: Command, tmp_path: Path, words: list[str]) -> None:
    code, _, _ = command("dance", *words, "--folder", tmp_path)
    assert code == 0
    library = DanceLibrary(tmp_path)
    assert library.pattern("waltz/mine").steps == library.pattern("waltz/hesitation").steps


@pytest.mark.usefixtures("folder")
def test_check_everything(command: Command) -> None:
    code, out, err = command("dance", "check", "--all")
    assert code == 0
    assert "patterns: no errors" in out
    assert err == ""


def test_check_tells_step_and_row(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "bad.dance"
    steps = "Foot Position | LF FWD | LF FWD |\nBeats | 2 | 1 |\n"
    path.write_text(f"dance: waltz\npattern: bad\ntime: 4/4\ntempo: 30\n{steps}", encoding="utf-8")
    code, out, _ = command("dance", "check", path)
    assert code == 1
    assert "LF bears the weight" in " ".join(out.split())
    assert any(line.split()[:4] == ["error", "5", "2", "Foot"] for line in out.splitlines())
    assert out.endswith("bad.dance: 1 error, 2 warnings\n")
    path.write_text(f"dance: waltz\npattern: bad\ntime: 4/4\ntempo: 30\n{steps.replace('2', 'x')}", encoding="utf-8")
    code, out, _ = command("dance", "check", path)
    assert code == 1
    assert any(line.split()[:4] == ["error", "6", "1", "Beats"] for line in out.splitlines())
    code, _, err = command("dance", "show", path)
    assert code == 2
    assert f"{path}:6:9: step 1, Beats: 'x' is no symbol of this row" in err


def test_check_needs_to_know_what(command: Command, tmp_path: Path) -> None:
    code, _, err = command("dance", "check", "waltz/box step", "--all")
    assert code == 2
    assert "there is nothing to check" in err
    code, _, err = command("dance", "check", tmp_path / "none.dance")
    assert code == 2
    assert "there is no such file" in err


@pytest.mark.parametrize("target", ["polka", "polka/", "po/l/ka", "polka/<hop>"])
def test_new_needs_a_name(command: Command, folder: Path, target: str) -> None:
    code, _, err = command("dance", "new", target)
    assert code == 2
    assert len(err.splitlines()) == 1
    assert not folder.exists()


def test_a_folder_that_is_a_file(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    code, _, err = command("dance", "list", "--folder", path)
    assert code == 2
    assert "a folder of dances is needed" in err
