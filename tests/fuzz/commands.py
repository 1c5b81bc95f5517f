"""Commands with mutated arguments, run in this process; an input is a list of arguments in JSON."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from unittest import mock

from segue.cli import main
from segue.errors import ArgumentError
from tests.fuzz.mutation import NUMBERS, TEXTS, in_tokens
from tests.fuzz.oracle import Finding

__all__ = ["mutate", "prepare", "run", "seeds"]

_COMMANDS = (
    "info clip.bvh --json",
    "info clip.bvh --scale 0.01 --up Y",
    "check clip.bvh --max-slide 3 --from 0.1 --to 0.3 --ground 0 --mass 70 --sex male",
    "convert clip.bvh out.glb --fps 30 --drop-tpose",
    "convert clip.bvh out.bvh --scale 1 --up Z",
    "fit clip.bvh --mass 70 -o out.bvh --report out.json",
    "fill clip.bvh --gap 0.1:0.2 --joints left_arm -o out.bvh --no-self --fps 30",
    "transition clips.walk clips.run --duration 0.3 --from 1 --to 0.5 -o out.bvh --mode free",
    "make_loop clips.walk --list",
    "keyframe keys.toml --plain -o out.bvh --between 2",
    "plot clip.bvh -o out.svg --kind curves --joint neck --frames 3",
    "view clip.bvh -o out.html --title walk",
    "eval trim(clips.walk,0,0.5) --seconds 5 -o out.bvh",
    "run script.segue --seconds 5",
    "library build clips -o out.lib",
    "library info out.lib --json",
    "library check out.lib",
    "dance list waltz",
    "dance show waltz/hesitation --part leader",
    "dance check waltz/hesitation",
    "dance plan waltz/hesitation --tempo 30 --repeat 2 -o out.svg",
    "dance preview waltz/hesitation --tempo 90bpm --stature 1.7 -o out.bvh",
    "dance simulate waltz/hesitation --program program.txt --mass 70 --push t=1 -o out.bvh",
    "dance environment check hall.toml",
    "dance dancer check dancer.toml",
)
_FILES = {
    "map.toml": 'pelvis = "Hips"\n',
    "keys.toml": '[[keyframe]]\ntime = 0\npose = "stand"\n[[keyframe]]\ntime = 1\nset = {neck = [0, 30, 0]}\n',
    "script.segue": "duration(trim(clips.walk, 0, 1))\n",
    "hall.toml": 'dance = "waltz"\n',
    "dancer.toml": 'name = "couple"\n',
}


def seeds() -> list[bytes]:
    """Return valid, or nearly valid, commands."""
    return [json.dumps(command.split(" ")).encode() for command in _COMMANDS]


def prepare(folder: Path, clip: bytes) -> None:
    """Put the files that commands name into a folder."""
    for name, text in _FILES.items():
        (folder / name).write_text(text)
    (folder / "clips").mkdir()
    for name in ("clip.bvh", "clips/a.bvh"):
        (folder / name).write_bytes(clip)


def mutate(draw: Random, data: bytes) -> bytes:
    """Replace, drop, double or swap arguments, or change one."""
    try:
        given = list(json.loads(data))
    except ValueError:
        return data
    others = [part for command in _COMMANDS for part in command.split(" ")]
    at, to = (draw.randrange(len(given)) for _ in range(2))
    change = draw.choice(("number", "number", "text", "token", "other", "drop", "double", "swap"))
    if change == "swap":
        given[at], given[to] = given[to], given[at]
    elif change == "drop" and len(given) > 1:
        del given[at]
    elif change == "double":
        given[at:at] = [given[at]]
    else:
        new = {"number": NUMBERS, "text": TEXTS, "other": others}.get(change)
        given[at] = draw.choice(new) if new else in_tokens(draw, str(given[at]).encode()).decode("utf-8", "replace")
    return json.dumps([str(part).replace("\0", "") for part in given]).encode()


def run(arguments: list[str]) -> None:
    """Run a command; raise the sentence with which it refuses, or a finding where it says anything else."""
    out, err = io.StringIO(), io.StringIO()
    # nothing of the user's own is read or written, no prompt waits, no browser opens
    surroundings = {"SEGUE_DANCES": str(Path.cwd()), "XDG_CACHE_HOME": str(Path.cwd()), "BROWSER": "true"}
    with (
        open(os.devnull, encoding="utf-8") as nothing,
        mock.patch.dict(os.environ, surroundings),
        mock.patch.object(sys, "argv", ["segue", *arguments]),
        mock.patch.object(sys, "stdin", nothing),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
            code: object = 0
        except SystemExit as stop:
            code = stop.code or 0
    said = out.getvalue() + err.getvalue()
    wrong = [sign for sign in said if not sign.isprintable() and sign != "\n"]
    if wrong:
        raise Finding(f"control characters on the terminal: {wrong[0]!r}")
    # a category before the colon is one of Python's own warnings; Segue's last line may begin with "Warning:"
    found = re.search(r"Traceback|[A-Za-z]Warning:|not enough memory", said)
    if found:
        raise Finding(f"'{found[0]}' on the terminal: {said[-2000:]}")
    if code not in (0, 1, 2):
        raise Finding(f"exit code {code}")
    if code == 2:
        # a check of many clips lists those it cannot read in its table
        lines = (err.getvalue().strip() or out.getvalue().strip()).splitlines()
        raise ArgumentError(lines[-1] if lines else "")
