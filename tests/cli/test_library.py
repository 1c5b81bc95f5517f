"""`segue library` as scripts and people meet it."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import pytest

import segue as sg
from segue.cli import main
from segue.library import Builder, Library, build
from segue.library.record import Source

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with two clips in one below it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clips").mkdir()
    for name in ("kick", "walk"):
        sg.save(sg.trim(sg.clips.motion(name), 0.0, 0.8), tmp_path / "clips" / f"{name}.bvh")
    return tmp_path


def test_a_library_from_beginning_to_end(folder: Path, command: Run) -> None:
    (folder / "clips" / "[bad].bvh").write_text("nothing")
    code, shown, complaint = command("library", "build", "clips", "-o", "lib")
    assert (code, complaint) == (0, "")
    assert "fitted, new  2 clips: kick.bvh, walk.bvh" in shown
    assert "[bad].bvh: line 1:1: it begins with 'nothing'" in shown
    assert "lib: 2 clips, 0.0 minutes" in shown

    code, shown, _ = command("library", "build", "clips", "-o", "lib")
    assert (code, "unchanged  2 clips" in shown) == (0, True)

    sg.save(sg.trim(sg.clips.run, 0.0, 0.7), folder / "run.bvh")
    code, shown, _ = command("library", "add", "lib", "run.bvh", "--mass", 80, "--sex", "female")
    assert (code, "fitted, new  1 clip: run.bvh" in shown) == (0, True)
    assert Library("lib").only("run.bvh").entries[0].figure.mass == 80.0

    code, shown, _ = command("library", "info", "lib")
    assert code == 0
    for said in (
        "clips      3, ",
        "bodies     1, ",
        f"folder     {folder / 'clips'} (2 clips)",
        "skipped    [bad].bvh: ",
    ):
        assert said in shown

    code, shown, _ = command("library", "check", "lib")
    assert (code, shown.strip()) == (0, "lib: nothing is wrong with 3 clips")

    code, shown, _ = command("library", "remove", "lib", "*k*", "--yes")
    assert (code, shown.strip()) == (0, "lib: 2 clips taken out, 1 left")
    assert Library("lib").names == ("run.bvh",)


def test_json_for_scripts(folder: Path, command: Run) -> None:
    Builder("lib", ["clips"]).run()
    _, shown, _ = command("library", "info", "lib", "--json")
    facts = json.loads(shown)
    assert (facts["clips"], facts["folders"]) == (2, {str(folder / "clips"): 2})
    (folder / "clips" / "walk.bvh").unlink()
    code, shown, _ = command("library", "check", "lib", "--json")
    assert code == 1
    assert [(trouble["kind"], trouble["name"]) for trouble in json.loads(shown)] == [("deleted", "walk.bvh")]


def test_check_says_what_is_wrong_and_what_to_do(folder: Path, command: Run) -> None:
    Builder("lib", ["clips"]).run()
    damaged, entry = "walk.bvh", Library("lib").entries[1]
    content = (folder / "lib").read_bytes()
    (folder / "lib").write_bytes(content.replace(entry.root[:2].tobytes(), bytes(24)))
    code, shown, _ = command("library", "check", "lib")
    assert code == 1
    assert f"damaged  {damaged}: its poses are damaged (the checksum differs)" in shown
    assert "'segue library build FOLDER... -o lib' with the folders of their files fits them again" in shown
    (folder / "clips" / damaged).unlink()
    code, shown, _ = command("library", "check", "lib")
    assert "bring their files back, or 'segue library remove lib NAME'" in shown
    code, shown, _ = command("library", "build", "clips", "-o", "lib")
    assert re.search(f"still damaged +1 clip: {damaged}", shown)
    other = "kick.bvh"
    (folder / "clips" / other).write_text("changed")
    code, shown, _ = command("library", "check", "lib")
    assert f"changed  {other}: its file" in shown
    assert "changed clips: " in shown


def test_removing_asks_first(folder: Path, command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Builder("lib", ["clips"]).run()
    monkeypatch.setattr("typer.confirm", lambda question: False)
    code, shown, _ = command("library", "remove", "lib", "walk.bvh")
    assert (code, "nothing was removed" in shown) == (0, True)
    assert len(Library("lib")) == 2
    monkeypatch.setattr("typer.confirm", lambda question: True)
    assert command("library", "remove", "lib", "walk.bvh")[0] == 0
    assert Library("lib").names == ("kick.bvh",)


def test_nobody_to_ask(folder: Path, command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Builder("lib", ["clips"]).run()
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    code, _, complaint = command("library", "remove", "lib", "walk.bvh")
    assert code == 2
    assert "pass --yes" in complaint
    assert len(Library("lib")) == 2


def test_pruning_and_empty_libraries_say_so(folder: Path, command: Run) -> None:
    Builder("lib", ["clips"]).run()
    for clip in (folder / "clips").iterdir():
        clip.unlink()
    _, shown, _ = command("library", "build", "clips", "-o", "lib")
    assert "no longer on disk, kept  2 clips: kick.bvh, walk.bvh" in shown
    code, shown, _ = command("library", "build", "clips", "-o", "lib", "--prune")
    assert code == 0
    assert "taken out  2 clips" in shown
    assert "no clip was found: files that can be read end in .bvh" in shown
    _, shown, _ = command("library", "info", "lib")
    assert "none: build or add some" in shown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("build", "nowhere", "-o", "new"), "nowhere: there is no such folder or file"),
        (("build", "clips", "-o", "clips"), "clips: is not a library: a library is a file"),
        (("build", "clips", "-o", "no/lib"), "there is no folder 'no', create it first"),
        (("build", "clips", "-o", "new", "--up", "X"), "up is 'X'"),
        (("build", "clips", "-o", "new", "--scale", "0"), "scale is 0.0"),
        (("add", "new", "clips"), "there is no library: 'segue library build FOLDER -o new' makes one"),
        (("info", "clips"), "clips: is not a library: a library is a file"),
        (("check", "clips/walk.bvh"), "is not a library: it is a file of another kind"),
        (
            ("remove", "lib", "nothing*", "--yes"),
            "no clip of the library matches 'nothing*': there are kick.bvh, walk",
        ),
    ],
)
def test_bad_input_is_one_sentence(folder: Path, command: Run, arguments: tuple[object, ...], sentence: str) -> None:
    Builder("lib", ["clips"]).run()
    code, _, complaint = command("library", *arguments)
    assert code == 2
    assert sentence in complaint
    assert "Traceback" not in complaint
    assert not (folder / "new").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has names that are no text")
def test_names_that_are_no_text_are_shown(folder: Path, command: Run) -> None:
    strange = os.fsdecode(b"cl\xffps")
    (folder / "clips").rename(folder / strange)
    (folder / strange / "walk.bvh").rename(folder / strange / os.fsdecode(b"\xfe.bvh"))
    code, shown, complaint = command("library", "build", strange, "-o", os.fsdecode(b"l\xffb"))
    assert (code, complaint) == (0, "")
    assert "\\udcfe.bvh" in shown
    code, shown, _ = command("library", "info", os.fsdecode(b"l\xffb"))
    assert (code, "cl\\udcffps (2 clips)" in shown) == (0, True)


def build_until_walk(told: Event) -> None:
    """Run `segue library build`, and wait when it is at the walk."""
    whole = build.index_clip

    def slow(source: Source, *rest: Any) -> object:
        if source.file == "walk.bvh":
            told.set()
            time.sleep(60)
        return whole(source, *rest)

    build.index_clip = slow
    sys.argv = ["segue", "library", "build", "clips", "-o", "lib"]
    with open("shown", "w") as sys.stdout:
        main()


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked")
def test_ctrl_c_keeps_what_was_finished(folder: Path) -> None:
    fork = get_context("fork")  # a process of its own that need not import everything again
    told = fork.Event()
    process = fork.Process(target=build_until_walk, args=(told,))
    process.start()
    assert told.wait(120)
    os.kill(process.pid or 0, signal.SIGINT)
    process.join()
    assert process.exitcode == 130
    assert "stopped: what was finished is in the library" in (folder / "shown").read_text()
    assert Library("lib").names == ("kick.bvh",)
