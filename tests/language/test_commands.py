"""`segue run` and `segue eval` in a process of their own, and every block of code in the guide."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import segue as sg
from segue import clips
from segue.cli import main
from segue.language import LanguageError, Session
from segue.library import Library
from tests.language.stage import FIGURE_6, WAVE_ARM

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.segue"))
GUIDE = ROOT / "docs" / "language.md"


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def segue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in the test's folder; gives exit code, stdout and stderr."""

    def run(*arguments: object, folder: Path = tmp_path) -> tuple[int, str, str]:
        monkeypatch.chdir(folder)
        monkeypatch.setattr("sys.argv", ["segue", *map(str, arguments)])
        monkeypatch.setattr("warnings.showwarning", warnings.showwarning)
        with pytest.raises(SystemExit) as left:
            main()
        return int(left.value.code or 0), *capsys.readouterr()

    return run


def test_eval_prints_what_an_expression_gives(segue: Run) -> None:
    done = segue("eval", "1 + 2 * 3")
    assert done == (0, "7\n", "")
    _, said, _ = segue("eval", f"{WAVE_ARM}; walk = clips.walk; gaps({FIGURE_6})")
    assert said == "1 to 1.3 s: right_arm\n2.3 to 2.5 s: right_arm\n"


def test_eval_saves_a_motion_and_run_the_same(segue: Run, tmp_path: Path) -> None:
    code, said, complaints = segue("eval", "trim(clips.walk, 0, 1)", "-o", "eval.bvh")
    assert (code, complaints) == (0, "")
    assert said.startswith("eval.bvh: a motion of the whole body from 0 to 1 s")
    (tmp_path / "short.segue").write_text("m = clips.walk\n# the first second\nclip(m, 0, 1)\n")
    code, _, complaints = segue("run", "short.segue", "-o", "run.bvh")
    assert (code, complaints) == (0, "")
    assert (tmp_path / "run.bvh").read_bytes() == (tmp_path / "eval.bvh").read_bytes()
    assert len(sg.load(tmp_path / "run.bvh")) == 61


def test_errors_have_a_sentence_the_line_and_a_caret_and_exit_code_2(segue: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.segue").write_text("a = 1\nb = a +  wve\n")
    code, said, complaints = segue("run", "bad.segue")
    assert (code, said) == (2, "")
    assert complaints.split("\n") == [
        "segue: error: bad.segue:2:10: there is nothing named 'wve': did you mean clips.wave?",
        "    b = a +  wve",
        "             ^^^",
        "",
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("run", "nothing.segue"), "nothing.segue: cannot be read: there is no such file"),
        (("run", "latin.segue"), "latin.segue: is not text in UTF-8: byte 2 cannot be read"),
        (("eval", "1", "-o", "x.bvh"), "only a motion can be saved as x.bvh, and the last expression gives a number"),
        (
            ("eval", "x = 1", "-o", "x.bvh"),
            "only a motion can be saved as x.bvh, and the last expression gives nothing",
        ),
        (("eval", "clips.walk", "-o", "x.txt"), "x.txt: suffix '.txt': files that can be written end in"),
        (("eval", "only(clips.walk, neck)", "-o", "x.bvh"), "the motion does not define root position"),
        (("eval", "retime(clips.walk, 0, duration=90000)", "-o", "x.bvh"), "5,400,001 more frames are too many"),
        (("eval", "1", "--seconds", "0"), "--seconds is 0: it must be positive"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    segue: Run, tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    (tmp_path / "latin.segue").write_bytes(b"# \xe9")
    code, _, complaints = segue(*arguments)
    assert code == 2
    assert complaints.startswith(f"segue: error: {sentence}")
    assert complaints.count("\n") == 1
    assert not list(tmp_path.glob("x.*"))


def test_a_script_elsewhere_works_on_the_folder_it_is_run_in(segue: Run, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "save.segue").write_text("save(trim(clips.walk, 0, 0.5), 'x.bvh')")
    done = segue("run", Path("..") / "there" / "save.segue", folder=tmp_path / "here")
    assert done == (0, "saved x.bvh: 0.5 s at 60 frames a second\n", "")
    assert (tmp_path / "here" / "x.bvh").exists()
    assert not (tmp_path / "there" / "x.bvh").exists()


def test_the_prompt_reads_lines_from_a_pipe_too(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "segue", "repl"],
        input="x = 20\nx + 1\n",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"XDG_CACHE_HOME": str(tmp_path), "NO_COLOR": "1", "TERM": "dumb"},
        check=False,
    )
    assert done.returncode == 0
    assert "\n21\n" in done.stdout


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda script: script.stem)
def test_every_example_runs(script: Path, tmp_path: Path) -> None:
    value = Session(tmp_path, say=lambda text: None).run(script.read_text(encoding="utf-8"), script.name)
    assert isinstance(value, sg.Motion)


def blocks(kind: str) -> list[str]:
    """Return the blocks of code of one kind in the guide."""
    return re.findall(rf"```{kind}\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)


def test_every_block_of_the_guide_runs_in_order(tmp_path: Path) -> None:
    sg.save(clips.clip("run"), tmp_path / "run.bvh")
    Library.build(tmp_path / "run.bvh", tmp_path / "clips.lib")
    session = Session(tmp_path, say=lambda text: None)
    assert len(blocks("segue")) > 8
    for block in blocks("segue"):
        session.run(block)


def test_every_mistake_of_the_guide_is_told_as_it_says(tmp_path: Path) -> None:
    session = Session(tmp_path)
    shown = [block.rstrip("\n").split("\n") for block in blocks("text") if "^" in block]
    assert shown
    for sentence, line, caret in shown:
        with pytest.raises(LanguageError) as caught:
            session.run(line.strip())
        assert [caught.value.message, *caught.value.pointer.split("\n")] == [sentence, line, caret]


def test_the_python_of_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for block in blocks("python"):
        exec(block, {})


def test_the_commands_of_the_guide_run(segue: Run, tmp_path: Path) -> None:
    (tmp_path / "dance.segue").write_text("clips.walk\n")
    commands = [line for block in blocks("sh") for line in block.splitlines() if line and "repl" not in line]
    assert commands
    for command in commands:
        words = re.findall(r"'[^']*'|\S+", command)
        code, _, complaints = segue(*(word.strip("'") for word in words[1:]))
        said = [line for line in complaints.splitlines() if not line.startswith("segue: compiling ")]
        assert (code, said) == (0, []), command
