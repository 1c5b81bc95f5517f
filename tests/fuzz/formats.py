"""The formats that are fuzzed: a new one is one entry of `FORMATS`."""

from __future__ import annotations

import contextlib
import io as stream
import json
import sqlite3
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random

import numpy as np

import segue as sg
from segue import io
from segue.body.roles import joints_of_map, load_map
from segue.cli.source import load_motion
from segue.dance.behaviour import read_dancer, read_environment, write_dancer, write_environment
from segue.dance.gestures.gestures import read_gestures
from segue.dance.notation.checking import Severity, check
from segue.dance.notation.manner import load_manners
from segue.dance.notation.parsing import parse
from segue.dance.notation.writing import write
from segue.dance.patterns import SHIPPED, DanceLibrary
from segue.dance.patterns.program import read_program
from segue.dance.patterns.store import read_pattern_file
from segue.dance.planning.planner import plan
from segue.dance.simulation.push import read_pushes
from segue.keyframe import Settings
from segue.keyframe.file import read_keyframes
from segue.language import LanguageError, Limits, Session, describe
from segue.library import Library
from segue.library.inspection import find_troubles, inspect_library
from segue.motion.clip_source import ClipSource
from tests.fuzz import commands, seeds
from tests.fuzz.mutation import (
    Mutator,
    in_bytes,
    in_floats,
    in_glb,
    in_json,
    in_lines,
    in_numbers,
    in_tokens,
    in_toml,
    mutated,
)
from tests.fuzz.oracle import Attempt, Finding, check_poses
from tests.language import test_nonsense as nonsense
from tests.library.forged import edit

__all__ = ["FORMATS", "Format", "case"]


@dataclass(frozen=True)
class Format:
    """What is done with an input.

    seeds: valid inputs. mutators: how they are changed. attempt: what a user does with one. suffix: of files that keep
    one. quick: cases that the tests run.
    """

    seeds: Callable[[], list[bytes]]
    mutators: tuple[Mutator, ...]
    attempt: Attempt
    suffix: str
    quick: int = 60


def case(name: str, seed: int, number: int, *, clips: bool = False) -> bytes:
    """Return the input of a number, the same for the same seed; clips: captured clips too, where they are present."""
    made = FORMATS[name]
    draw = Random(f"{seed}/{name}/{number}")
    valid = made.seeds() + (seeds.captured() if clips and made.suffix == ".bvh" else [])
    return mutated(draw, draw.choice(valid), made.mutators)


def _put(folder: Path, data: bytes, suffix: str) -> Path:
    path = folder / f"input{suffix}"
    path.write_bytes(data)
    return path


def _mesh(folder: Path, data: bytes) -> None:
    """Read the mesh of a character, pose it, and write two takes back into its file."""
    clip = io.read(_put(folder, data, ".glb"))
    scene = clip.origin.scene if clip.origin is not None else None
    mesh = scene.skinned_mesh() if scene is not None else None
    if mesh is not None:
        mesh.posed(*(part[:2] for part in clip.world))
    io.write({"Walk": clip, "again": clip}, folder / "out.glb")
    io.read(folder / "out.glb#again")


def _round_trip(folder: Path, data: bytes, *, suffix: str, out: str) -> None:
    clip = io.read(_put(folder, data, suffix))
    arrays = (clip.offsets, clip.positions, clip.rotations)
    if not all(np.isfinite(values).all() for values in arrays):
        raise Finding("a clip that is not finite")
    io.write(clip, folder / out)
    again = io.read(folder / out)
    if again.positions.shape != clip.positions.shape:
        raise Finding(f"{clip.positions.shape} written, {again.positions.shape} read back")


def _read(folder: Path, data: bytes, *, suffix: str) -> None:
    clip = io.read(_put(folder, data, suffix))
    if not all(np.isfinite(values).all() for values in (clip.offsets, *clip.world)):
        raise Finding("a clip that is not finite")


def _load(folder: Path, data: bytes, *, suffix: str) -> None:
    motion = sg.load(_put(folder, data, suffix))
    assert isinstance(motion.source, ClipSource)
    motion.source.contacts()
    check_poses(motion)
    sg.save(motion, folder / "out.bvh")


def _map(folder: Path, data: bytes) -> None:
    given = load_map(_put(folder, data, ".toml"))
    joints_of_map(sg.clips.clip("walk").skeleton, given)


@cache
def _clip(name: str) -> sg.Motion:
    return load_motion(name)


def _keyframes(folder: Path, data: bytes) -> None:
    path = _put(folder, data, ".json" if data.startswith(b"{") else ".toml")
    given = read_keyframes(path, lambda name: _clip(name) if name.startswith("clips.") else load_motion(name))
    check_poses(given.spline())
    if len(data) % 8 == 0:  # improving takes a hundred times as long as reading
        check_poses(given.inbetween(Settings(iterations=1, subdivision=None)))


def _pattern(folder: Path, data: bytes) -> None:
    path = _put(folder, data, ".dance")
    _, sheet = read_pattern_file(path)
    pattern = sheet.pattern
    errors = [finding for finding in check(pattern) if finding.severity is Severity.ERROR]
    if parse(write(pattern)).steps != pattern.steps:
        raise Finding("a pattern that is written is read back as another")
    if not errors:
        plan([pattern], sg.Figure.standard())


def _dancer(folder: Path, data: bytes) -> None:
    dancer = read_dancer(_put(folder, data, ".toml"))
    write_dancer(dancer, folder / "out.toml")
    if read_dancer(folder / "out.toml") != dancer:
        raise Finding("a dancer who is written is read back as another")


def _environment(folder: Path, data: bytes) -> None:
    environment = read_environment(_put(folder, data, ".toml"))
    write_environment(environment, folder / "out.toml")
    if read_environment(folder / "out.toml") != environment:
        raise Finding("an environment that is written is read back as another")


def _program(folder: Path, data: bytes) -> None:
    read_program(_put(folder, data, ".txt")).patterns(DanceLibrary(SHIPPED).pattern)


def _library(folder: Path, data: bytes) -> None:
    path = _put(folder, data, ".lib")
    find_troubles(path)
    inspect_library(path)
    Library(path)


_VALUES = (None, -1, 0, 1, 2**63 - 1, 1e308, 0.5, "", "x", "..", "\0", b"", b"\0", b"x" * 16, bytes(208))


def _in_records(draw: Random, data: bytes) -> bytes:
    """Replace one value of all clips of a library by another, with a checksum that fits."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.lib")
        path.write_bytes(data)
        with contextlib.suppress(sqlite3.Error, IndexError):  # damaged already, or a value that clips cannot share
            with contextlib.closing(sqlite3.connect(path)) as connection:
                columns = [row[1] for row in connection.execute("PRAGMA table_info(clips)")]
            edit(path, f"UPDATE clips SET {draw.choice(columns)} = ?", values=(draw.choice(_VALUES),))
        return path.read_bytes()


_LIMITS = Limits(seconds=20, steps=400, depth=200, items=50, functions=4_000, blends=8, frames=40, farthest=1e4)


def _in_arrays(draw: Random, data: bytes) -> bytes:
    """Drop an array of an archive, or give it another type, shape or number."""
    try:
        with np.load(stream.BytesIO(data), allow_pickle=False) as file:
            arrays = dict(file)
    except Exception:  # damaged already
        return data
    name = draw.choice(list(arrays))
    value = arrays[name]
    strange = draw.choice((np.nan, np.inf, 1e300, -1.0, 0.0, 1e6))
    changed = [
        value[..., :1] if value.ndim else value[None],
        value.astype(str),
        np.zeros(0),
        value[None],
        np.array(strange),
    ]
    if value.dtype.kind == "f" and value.size:
        spoilt = value.copy()
        spoilt.flat[draw.randrange(value.size)] = strange
        changed += [spoilt, spoilt]
    new = draw.choice([None, *changed])
    arrays = {key: old if key != name else new for key, old in arrays.items() if key != name or new is not None}
    out = stream.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def _script(folder: Path, data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    try:
        session = Session(folder, _LIMITS, say=lambda said: None)
        session.run("m = trim(retime(only(clips.wave, right_arm, trunk), 0.5), 0, 2); i = 1")
        describe(session.run(text))
    except LanguageError as error:
        nonsense.check_clear(error, text)
        for file in folder.glob("out*"):  # a script may write a file before it goes wrong
            file.unlink()
        raise


def _random_tokens(draw: Random, data: bytes) -> bytes:
    tokens = [draw.choice(draw.choice(nonsense.TOKENS)) for _ in range(draw.randint(1, 14))]
    return draw.choice(["", " "]).join(tokens).encode()


def _random_sentence(draw: Random, data: bytes) -> bytes:
    return nonsense.sentence(draw).encode()


def _mutated_script(draw: Random, data: bytes) -> bytes:
    return nonsense.mutated(draw, data.decode("utf-8", "replace")).encode()


def _check(folder: Path, data: bytes) -> None:
    commands.run(["check", _put(folder, data, ".bvh").name])


def _arguments(folder: Path, data: bytes) -> None:
    commands.prepare(folder, seeds.bvh()[0])
    commands.run([str(part) for part in json.loads(data)])


def _in_part(part: int, mutator: Mutator) -> Mutator:
    """Return a mutator of one part of a BVH: its hierarchy (0), its frame rate (1) or its frames (2)."""

    def mutate(draw: Random, data: bytes) -> bytes:
        head, mark, rest = data.partition(b"Frame Time:")
        rate, newline, rows = rest.partition(b"\n")
        parts = [head, rate, rows]
        parts[part] = mutator(draw, parts[part])
        return parts[0] + mark + parts[1] + newline + parts[2]

    return mutate


_PLAUSIBLE = tuple(_in_part(part, in_numbers) for part in range(3))  # still a clip, with an odd number in it
_BVH = (in_bytes, in_lines, *(_in_part(part, in_tokens) for part in range(3)), *_PLAUSIBLE)
_CLIP = (in_lines, _in_part(0, in_tokens), *_PLAUSIBLE, *_PLAUSIBLE)
_TOML = (in_bytes, in_tokens, in_lines, in_toml, in_toml)
_TEXT = (in_bytes, in_tokens, in_lines)

FORMATS: dict[str, Format] = {
    "bvh": Format(seeds.bvh, _BVH, partial(_round_trip, suffix=".bvh", out="out.bvh"), ".bvh", 40),
    "bvh-load": Format(seeds.persons, _CLIP, partial(_load, suffix=".bvh"), ".bvh", 8),
    "glb": Format(
        seeds.glb, (in_bytes, in_glb, in_glb), partial(_round_trip, suffix=".glb", out="out.glb"), ".glb", 30
    ),
    "gltf": Format(
        seeds.gltf, (in_bytes, in_json, in_json), partial(_round_trip, suffix=".gltf", out="out.glb"), ".gltf", 30
    ),
    "glb-mesh": Format(seeds.character, (in_bytes, in_glb, in_glb, in_glb), _mesh, ".glb", 30),
    "glb-load": Format(seeds.glb, (in_glb,), partial(_load, suffix=".glb"), ".glb", 8),
    "fbx": Format(seeds.fbx, (in_bytes, in_bytes, in_lines, in_tokens), partial(_read, suffix=".fbx"), ".fbx", 12),
    "npz": Format(seeds.npz, (in_bytes, _in_arrays, _in_arrays), partial(_read, suffix=".npz"), ".npz", 60),
    "usda": Format(seeds.usda, (in_bytes, in_lines, in_tokens), partial(_read, suffix=".usda"), ".usda", 8),
    "usdc": Format(seeds.usdc, (in_bytes, in_floats), partial(_read, suffix=".usdc"), ".usdc", 8),
    "map": Format(seeds.maps, _TOML, _map, ".toml"),
    "keyframes": Format(seeds.keyframes, (*_TOML, in_json), _keyframes, ".toml", 30),
    "pattern": Format(seeds.patterns, _TEXT, _pattern, ".dance"),
    "gestures": Format(seeds.gestures, _TOML, lambda folder, data: read_gestures(_put(folder, data, ".toml")), ".toml"),
    "manners": Format(seeds.manners, _TOML, lambda folder, data: load_manners(_put(folder, data, ".toml")), ".toml"),
    "dancer": Format(seeds.dancers, _TOML, _dancer, ".toml"),
    "environment": Format(seeds.environments, _TOML, _environment, ".toml"),
    "program": Format(seeds.programs, _TEXT, _program, ".txt"),
    "pushes": Format(seeds.pushes, _TEXT, lambda folder, data: read_pushes(_put(folder, data, ".txt")), ".txt"),
    "library": Format(seeds.libraries, (in_bytes, _in_records), _library, ".lib"),
    "script": Format(
        lambda: [script.encode() for script in nonsense.SCRIPTS],
        (_mutated_script, _random_tokens, _random_sentence, in_bytes),
        _script,
        ".segue",
    ),
    "check": Format(seeds.persons, _CLIP, _check, ".bvh", 5),
    "arguments": Format(commands.seeds, (commands.mutate,), _arguments, ".json", 12),
}
"""What is fuzzed, by name."""
