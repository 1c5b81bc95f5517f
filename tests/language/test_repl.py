"""The prompt, driven by keys: history, completion, several lines, help, and Ctrl-C and Ctrl-D."""

from __future__ import annotations

from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from segue.language import Session
from segue.language.repl import Repl, SessionCompleter, history_file

CTRL_C, CTRL_D, UP, ENTER = "\x03", "\x04", "\x1b[A", "\r"


def converse(folder: Path, keys: str, history: History | None = None) -> tuple[Session, str]:
    """Return a session after some keys, and everything it said but the greeting."""
    said: list[str] = []
    session = Session(folder, say=said.append)
    with create_pipe_input() as pipe:
        pipe.send_text(keys)
        Repl(session, say=said.append, history=history or InMemoryHistory(), input=pipe, output=DummyOutput()).run()
    assert said[0].startswith("Segue: ")
    return session, "\n".join(said[1:])


def test_values_are_printed_and_names_kept(tmp_path: Path) -> None:
    session, said = converse(tmp_path, f"x = 1 + 1{ENTER}x * 3{ENTER}{ENTER}'a'{ENTER}{CTRL_D}")
    assert said == '6\n"a"'
    assert session.values == {"x": 2.0}


def test_open_brackets_ask_for_another_line(tmp_path: Path) -> None:
    session, said = converse(tmp_path, f"x = (1 +{ENTER}2{ENTER}){ENTER}x{ENTER}{CTRL_D}")
    assert said == "3"
    assert session.values == {"x": 3.0}


def test_errors_are_shown_with_a_caret_and_the_session_goes_on(tmp_path: Path) -> None:
    _, said = converse(tmp_path, f"x = 1{ENTER}1 + y{ENTER}x +{ENTER}x{ENTER}{CTRL_D}")
    assert said.split("\n") == [
        "there is nothing named 'y'",
        "    1 + y",
        "        ^",
        "the script ends where a value was expected",
        "    x +",
        "       ^",
        "1",
    ]


def test_show_draws_a_time_line_with_and_without_brackets(tmp_path: Path) -> None:
    for typed in ("show m", "show(m)", "show m - (m & m) + m"):
        _, said = converse(tmp_path, f"m = clips.walk{ENTER}{typed}{ENTER}{CTRL_D}")
        assert said.startswith("whole body  ")
    session, said = converse(tmp_path, f"show = 3{ENTER}show{ENTER}show 1 + 1{ENTER}{CTRL_D}")
    assert said == "3\n2"
    assert session.values == {"show": 3.0}


def test_help(tmp_path: Path) -> None:
    _, said = converse(tmp_path, f"help{ENTER}{CTRL_D}")
    assert "fill_gaps" in said
    assert "Ctrl-D leaves" in said
    _, said = converse(tmp_path, f"help retime{ENTER}{CTRL_D}")
    assert said.startswith("retime(motion, start, stretch=1, duration=none)\n")
    assert "Example: retime(" in said
    _, said = converse(tmp_path, f"help(retme){ENTER}def twice(m) = m + m{ENTER}help twice{ENTER}{CTRL_D}")
    assert "did you mean retime?" in said
    assert "def twice(m): defined at the prompt, line 2" in said


@pytest.mark.parametrize("word", ["exit", "quit()", CTRL_D])
def test_leaving(tmp_path: Path, word: str) -> None:
    _, said = converse(tmp_path, f"1{ENTER}{word}{ENTER if word != CTRL_D else ''}")
    assert said == "1"


def test_ctrl_c_at_the_prompt_drops_the_line_and_stays(tmp_path: Path) -> None:
    _, said = converse(tmp_path, f"1 + nonsense{CTRL_C}2{ENTER}{CTRL_D}")
    assert said == "2"


def test_ctrl_c_stops_a_computation_and_keeps_the_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    session = Session(tmp_path, say=said.append)
    repl = Repl(session, say=said.append, history=InMemoryHistory(), output=DummyOutput())
    repl.handle("x = 5")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("segue.language.limits.Budget.step", interrupted)
        repl.handle("y = [i for i in 1..10000]")
    repl.handle("x")
    assert said == ["stopped; everything named before is still there", "5"]
    assert "y" not in session.values


def test_lines_of_earlier_sessions_come_back(tmp_path: Path) -> None:
    converse(tmp_path, f"41 + 1{ENTER}{CTRL_D}", FileHistory(tmp_path / "history"))
    _, said = converse(tmp_path, f"{UP}{ENTER}{CTRL_D}", FileHistory(tmp_path / "history"))
    assert said == "42"


def test_history_lies_in_the_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert history_file() == tmp_path / "segue" / "history"
    with create_pipe_input() as pipe:
        pipe.send_text(f"1{ENTER}{CTRL_D}")
        Repl(Session(tmp_path), say=lambda text: None, input=pipe, output=DummyOutput()).run()
    assert "+1" in history_file().read_text()
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with create_pipe_input() as pipe:
        pipe.send_text(CTRL_D)
        Repl(Session(tmp_path), say=lambda text: None, input=pipe, output=DummyOutput()).run()


@pytest.fixture
def stocked(tmp_path: Path) -> Session:
    (tmp_path / "jumps").mkdir()
    (tmp_path / "notes.txt").touch()
    for name in ("jog.bvh", "jumps/high.bvh", "jumps/low.glb"):
        (tmp_path / name).touch()
    session = Session(tmp_path)
    session.run("juggle = 1; def jump(x) = x")
    return session


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("jug", ["juggle"]),
        ("ju", ["juggle", "jump"]),
        ("1 + ju", ["juggle", "jump"]),
        ("fill_g", ["fill_gaps"]),
        ("only(m, left_elb", ["left_elbow", "left_elbow_flexion"]),
        ("clips.w", ["walk", "wave"]),
        ("retime(clips.st", ["stand"]),
        ("help oper", ["operators"]),
        ("if x th", ["then"]),
        ("us", ["use"]),
        ("use li", ["library"]),
        ("x = 1; use ", ["library"]),
        ("use library('ju", ["jumps/"]),
        ("load('j", ["jumps/", "jog.bvh"]),
        ('load("jumps/', ["high.bvh", "low.glb"]),
        ("load('n", []),
        ("load('../", []),
        ("load('/", []),
        ("f('a', ju", ["juggle", "jump"]),
        ("", []),
    ],
)
def test_completion(stocked: Session, typed: str, offered: list[str]) -> None:
    found = SessionCompleter(stocked).get_completions(Document(typed), CompleteEvent())
    assert [completion.text for completion in found] == offered
