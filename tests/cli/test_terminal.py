"""What reaches the terminal: nothing from a file can move its cursor, clear it or name its window."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.table import Table

from segue.cli import console
from segue.language import Session
from segue.language.repl import Repl
from tests.io.malformed import VALID

EVIL = "A\x1b]0;pwned\x1b\\\x1b[2J\x9b2J\u202e"
OWN = re.compile(r"\x1b\[(?:[0-9;]*m|\?25[lh]|[0-9]*[AK])")  # colours, and how a bar draws over its own line

Command = Callable[..., tuple[int, str, str]]


def raw(text: str) -> set[str]:
    """Return characters that a terminal acts on, but for ends of lines and what Segue itself sends."""
    return {sign for sign in OWN.sub("", text) if not sign.isprintable() and sign not in "\r\n"}


@pytest.fixture
def evil_clip(tmp_path: Path) -> Path:
    """Return a clip whose joints have escapes in their names, in a file that has some too."""
    path = tmp_path / "e\x1b[2Jvil.bvh"
    path.write_bytes(VALID.replace(b"Hips", EVIL.replace(" ", "").encode()).replace(b"Chest", b"Ch[/]:smile:est"))
    return path


def test_a_terminal_gets_no_escape_from_a_file(evil_clip: Path) -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "segue", "info", str(evil_clip)]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        said = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # Linux says so when the other end is closed
                break
            if not part:
                break
            said += part
    os.close(ours)
    assert process.returncode == 2
    assert b"segue: " in OWN.sub("", said.decode()).encode()
    assert raw(said.decode()) == set()
    assert rb"A\x1b]0;pwned" in said  # a joint, in the error; the file is named by the progress bar, if one is shown


@pytest.mark.parametrize("arguments", [("info",), ("check",), ("convert", "out.glb"), ("fit",), ("--\x1b[2J",)])
def test_errors_and_complaints_are_escaped(command: Command, evil_clip: Path, arguments: tuple[str, ...]) -> None:
    code, out, err = command(arguments[0], evil_clip, *arguments[1:])
    assert code == 2
    assert raw(out + err) == set()
    assert r"\x1b" in err


def test_a_document_cannot_speak_for_segue(command: Command, tmp_path: Path) -> None:
    (tmp_path / "e.gltf").write_text(json.dumps({"asset": {"version": EVIL}}))
    code, out, err = command("info", tmp_path / "e.gltf")
    assert (code, out, raw(err)) == (2, "", set())
    assert r"is 'A\x1b]0;pwned" in err


def test_results_tables_warnings_and_progress_are_escaped(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(EVIL, title=EVIL)
    table.add_row(EVIL)
    table.add_row("[/] [red] :smile:")
    console.output.print(table)
    console.say(f"{EVIL}\nand\ta second line")
    console.complain(EVIL)
    console.show_warning(f"{EVIL}\n", RuntimeWarning, EVIL, 1)
    out, err = capsys.readouterr()
    assert raw(out + err) == set()
    assert "[/] [red] :smile:" in out
    assert "\nand" in out
    shown = io.StringIO()
    monkeypatch.setattr(console, "_errors", console._SafeConsole(file=shown, force_terminal=True, width=300))
    monkeypatch.setattr(console, "_PATIENCE", 0.0)
    with console.progress_bar(EVIL) as advance:
        for done in range(20):
            advance(done, 20, f"{EVIL} {done}")
            time.sleep(0.02)
    assert r"\x1b]0;pwned" in shown.getvalue()
    assert "\x1b]0;" not in shown.getvalue()
    assert "\x1b[2J" not in shown.getvalue()


def test_the_prompt_answers_without_escapes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    prompt = Repl.__new__(Repl)  # no terminal to read from is needed
    prompt._session, prompt._say, prompt._count = Session(tmp_path, say=console.say), console.say, 0
    for typed in (f'"{EVIL}"', f"load('{EVIL}.bvh')", f"{EVIL}", f'show "{EVIL}"'):
        prompt.handle(typed)
    out, err = capsys.readouterr()
    assert out.count("\n") >= 4
    assert raw(out + err) == set()
