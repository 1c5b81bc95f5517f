"""The parts of the add-on that need no Blender: messages, the child, poses, maps, and the manifest."""

from __future__ import annotations

import importlib.util
import io
import os
import re
import signal
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.body.families import OPTIONAL_ROLES, ROLE_NAMES
from segue.curves import quaternion
from segue.serve.framing import read_message, write_message
from tests.blender.addon import FOLDER, module
from tests.serve.test_calls import sent

maths, pipe, mapping, child = (module(name) for name in ("maths", "pipe", "mapping", "child"))

unit = st.lists(st.floats(-1.0, 1.0), min_size=4, max_size=4).filter(lambda q: np.linalg.norm(q) > 0.1)


@given(unit, unit)
def test_quaternions_agree_with_segue(a: list[float], b: list[float]) -> None:
    p, q = quaternion.normalise(a), quaternion.normalise(b)
    assert np.allclose(maths.multiply(p, q), quaternion.multiply(p, q))
    matrix = maths.to_matrix(p)
    assert np.allclose(matrix, quaternion.to_matrix(p))
    again = maths.from_matrix(3.0 * matrix)
    assert abs(abs(again @ p) - 1.0) < 1e-9


def test_affine_inverses() -> None:
    chance = np.random.default_rng(4)
    affine = np.concatenate([chance.normal(size=(7, 3, 4)), np.tile([0.0, 0.0, 0.0, 1.0], (7, 1, 1))], axis=1)
    assert np.allclose(maths.inverse(affine), np.linalg.inv(affine))
    assert np.allclose(maths.inverse(affine[0]), np.linalg.inv(affine[0]))


@given(st.integers(1, 8), st.integers(0, 10**6))
def test_local_and_world_poses_are_inverse(joints: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    parents = [-1, *(int(chance.integers(0, j)) for j in range(1, joints))]
    places = chance.normal(size=(3, joints, 3))
    turns = maths.normalised(chance.normal(size=(3, joints, 4)))
    local = maths.to_local(parents, places, turns)
    again = maths.to_world(parents, *local)
    assert np.allclose(again[0], places)
    assert np.allclose(np.abs((again[1] * turns).sum(-1)), 1.0)


def test_messages_are_those_of_segue() -> None:
    arrays = {"a": np.arange(6.0).reshape(2, 3), "b": np.array([1, 2, 3], np.uint8)}
    stream = io.BytesIO(pipe.packed({"kind": "call", "request": 3}, arrays))
    header, found = read_message(stream) or ({}, {})
    assert header["request"] == 3
    assert all(np.array_equal(found[name], arrays[name]) for name in arrays)
    back = io.BytesIO()
    write_message(back, {"kind": "result", "request": 3}, arrays)
    back.seek(0)
    header, found = pipe.read(back)
    assert header == {"kind": "result", "request": 3}
    assert all(np.array_equal(found[name], arrays[name]) for name in arrays)
    assert pipe.read(io.BytesIO(b"\x01")) is None


def test_the_child_answers_and_starts_again_after_it_was_killed() -> None:
    made = child.Child()
    value, _ = made.call("patterns", {}).wait()
    assert "waltz/box step" in value["patterns"]
    job = made.call("check", *sent_twice())
    os.kill(made.pid, signal.SIGKILL)
    with pytest.raises(child.ChildDied, match="nothing was changed"):
        job.wait()
    with pytest.raises(child.SegueFailed, match="there is no call"):
        made.call("dream", {}).wait()
    assert made.pid is not None
    made.stop()
    assert made.pid is None


def sent_twice() -> tuple[dict[str, Any], dict[str, Any]]:
    import segue as sg

    return sent(sg.clips.walk)


def test_a_child_that_cannot_start_is_one_sentence() -> None:
    with pytest.raises(child.SegueFailed, match="cannot be started"):
        child.Child("/nowhere/python").call("patterns", {})


def test_roles_are_those_of_segue() -> None:
    assert set(mapping.ROLES) <= set(ROLE_NAMES)
    assert {role for role in ROLE_NAMES if role not in OPTIONAL_ROLES} <= {*mapping.ROLES, "chest"}


def test_maps_are_read_and_written() -> None:
    roles = {"pelvis": ["Hips"], "spine": ["Spine", "Spine1"], "tail": ["x"]}
    text = mapping.text_of(roles)
    assert mapping.pairs_of(text, {"Hips", "Spine1"}) == [["pelvis", "Hips"], ["spine", "Spine1"]]
    rows = mapping.listed(text)
    assert rows["spine"] == "Spine, Spine1"
    assert mapping.parsed(rows) == {"pelvis": ["Hips"], "spine": ["Spine", "Spine1"]}
    for bad in ("", "[1]", "{", '{"pelvis": [3]}'):
        assert mapping.pairs_of(bad, {"Hips"}) == []


TAGS = {
    "3D View", "Add Curve", "Add Mesh", "Animation", "Bake", "Camera", "Compositing", "Development", "Game Engine",
    "Geometry Nodes", "Grease Pencil", "Import-Export", "Lighting", "Material", "Modeling", "Mesh", "Node", "Object",
    "Paint", "Pipeline", "Physics", "Render", "Rigging", "Scene", "Sculpt", "Sequencer", "System", "Text Editor",
    "Tracking", "User Interface", "UV",
}  # fmt: skip
SEMANTIC = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$")


def faults(table: dict[str, Any]) -> list[str]:
    """Return which rules of the extension manifest, schema 1.0.0, a table breaks."""
    needed = {
        "schema_version": str, "id": str, "version": str, "name": str, "tagline": str, "maintainer": str, "type": str,
        "blender_version_min": str, "license": list,
    }  # fmt: skip
    found = [f"{key} is missing" for key in needed if not isinstance(table.get(key), needed[key])]
    if found:
        return found
    optional = {"blender_version_max", "website", "copyright", "tags", "platforms", "wheels", "permissions", "build"}
    found += [f"{key} is unknown" for key in table if key not in needed and key not in optional]
    rules = {
        "schema_version": table["schema_version"] == "1.0.0",
        "id": bool(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", table["id"])) and "__" not in table["id"],
        "version": bool(SEMANTIC.match(table["version"])),
        "tagline": 0 < len(table["tagline"]) <= 64 and table["tagline"][-1].isalnum(),
        "type": table["type"] == "add-on",
        "blender_version_min": bool(SEMANTIC.match(table["blender_version_min"]))
        and tuple(map(int, table["blender_version_min"].split("."))) >= (4, 2, 0),
        "blender_version_max": "blender_version_max" not in table
        or tuple(map(int, table["blender_version_max"].split(".")))
        > tuple(map(int, table["blender_version_min"].split("."))),
        "license": table["license"] == ["SPDX:GPL-3.0-or-later"],
        "tags": set(table.get("tags", [])) <= TAGS,
        "platforms": set(table.get("platforms", []))
        <= {"windows-x64", "windows-arm64", "macos-x64", "macos-arm64", "linux-x64"},
        "copyright": all(re.match(r"\d{4}(-\d{4})? \S", each) for each in table.get("copyright", [])),
        "wheels": all(re.fullmatch(r"\./wheels/[^/]+\.whl", each) for each in table.get("wheels", [])),
        "permissions": all(
            key in {"files", "network", "clipboard", "camera", "microphone"} and 0 < len(why) <= 64 and why[-1] != "."
            for key, why in table.get("permissions", {}).items()
        ),
    }
    return found + [f"{key} is wrong" for key, holds in rules.items() if not holds]


def builder() -> Any:
    spec = importlib.util.spec_from_file_location("blender_build", FOLDER / "build.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules["blender_build"] = made
    spec.loader.exec_module(made)
    return made


def test_the_manifest_keeps_the_published_rules() -> None:
    table = tomllib.loads((FOLDER / "segue_blender" / "blender_manifest.toml").read_text(encoding="utf-8"))
    assert faults(table) == []
    project = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert table["version"] == project["version"]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"tagline": "A sentence."}, "tagline is wrong"),
        ({"tags": ["Dance"]}, "tags is wrong"),
        ({"blender_version_min": "3.6.0"}, "blender_version_min is wrong"),
        ({"wheels": ["wheels/a.whl"]}, "wheels is wrong"),
        ({"colour": "red"}, "colour is unknown"),
        ({"license": None}, "license is missing"),
    ],
)
def test_the_rules_find_faults(change: dict[str, Any], fault: str) -> None:
    table = tomllib.loads((FOLDER / "segue_blender" / "blender_manifest.toml").read_text(encoding="utf-8"))
    assert faults({**table, **change}) == [fault]


@pytest.mark.parametrize("series", ["3.11", "3.13"])
def test_a_zip_holds_the_package_its_wheels_and_a_manifest(tmp_path: Path, series: str) -> None:
    made = builder()
    wheels = tmp_path / "wheels" / f"linux-x64-{series}"
    wheels.mkdir(parents=True)
    for name in ("scipy-1.0-x.whl", "lark-1.0-x.whl", "numba-1.0-x.whl", "llvmlite-1.0-x.whl"):
        (wheels / name).write_bytes(b"wheel")
    own = tmp_path / "own" / "pure" / "segue-0.1.0-py3-none-any.whl"
    own.parent.mkdir(parents=True)
    own.write_bytes(b"wheel")
    path = made.build(tmp_path, "linux-x64", series, made.own_wheel(tmp_path, "linux-x64", series, pure=True))
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        table = tomllib.loads(archive.read("blender_manifest.toml").decode())
    assert faults(table) == []
    assert {each.removeprefix("./") for each in table["wheels"]} == {name for name in names if name.endswith(".whl")}
    assert len(table["wheels"]) == 5
    assert {"__init__.py", "LICENSE", "panels.py"} <= names
    assert ("blender_version_max" in table) == (series == "3.11")
    assert not list(tmp_path.glob("*.part"))
    linked = tmp_path / "segue-0.1.0-cp311-cp311-linux_x86_64.whl"
    linked.write_bytes(b"wheel")
    with zipfile.ZipFile(made.build(tmp_path, "linux-x64", series, linked)) as archive:
        held = [name for name in archive.namelist() if name.endswith(".whl")]
    assert not any("numba" in name or "llvmlite" in name or "none-any" in name for name in held)
