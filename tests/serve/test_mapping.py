"""Roles of a clip's joints: recognised, shown, corrected in a map file, and used by `load`."""

from __future__ import annotations

from pathlib import Path

import pytest

import segue
from segue import clips
from segue.errors import SkeletonError
from segue.language.session import Session
from segue.language.workspace import Workspace
from segue.serve.mapping import map_name, skeleton_of, write_map
from segue.serve.requests import MapJoints, RoleJoints


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    segue.save(clips.motion("walk"), tmp_path / "walk.bvh")
    return tmp_path


def renamed(folder: Path) -> tuple[list[str], list[str]]:
    """Write the clip with names that say nothing; return the names before and after."""
    text = (folder / "walk.bvh").read_text()
    names = [line.split()[1] for line in text.splitlines() if line.split()[:1] in (["ROOT"], ["JOINT"])]
    for k, name in enumerate(names):
        text = text.replace(f"ROOT {name}\n", f"ROOT b{k}\n").replace(f"JOINT {name}\n", f"JOINT b{k}\n")
    (folder / "plain.bvh").write_text(text)
    return names, [f"b{k}" for k in range(len(names))]


def test_the_roles_of_a_known_skeleton_are_sure(folder: Path) -> None:
    found = skeleton_of(Workspace(folder), "walk.bvh")
    assert found.family
    assert not found.problem
    assert set(found.needed) <= {joint.role for joint in found.joints}
    assert all(joint.sure for joint in found.joints)
    assert found.map == ""


def test_a_map_says_it_better_and_load_takes_it(folder: Path) -> None:
    before, after = renamed(folder)
    known = {joint.joint: joint.role for joint in skeleton_of(Workspace(folder), "walk.bvh").joints}
    unsure = skeleton_of(Workspace(folder), "plain.bvh")
    assert not any(joint.sure for joint in unsure.joints)
    roles: dict[str, list[str]] = {}
    for old, new in zip(before, after, strict=True):
        if known[old]:
            roles.setdefault(known[old], []).append(new)
    request = MapJoints("plain.bvh", tuple(RoleJoints(role, tuple(joints)) for role, joints in roles.items()))
    found = write_map(Workspace(folder), request)
    assert found.map == map_name("plain.bvh") == "plain.map.toml"
    assert {joint.joint: joint.role for joint in found.joints} == {
        new: known[old] for old, new in zip(before, after, strict=True)
    }
    session = Session(folder)
    assert session.run('duration(load("plain.bvh", map="plain.map.toml"))') == pytest.approx(
        clips.motion("walk").duration, abs=0.05
    )


def test_a_map_that_is_wrong_is_not_written(folder: Path) -> None:
    request = MapJoints("walk.bvh", (RoleJoints("pelvis", ("nowhere",)),))
    with pytest.raises(SkeletonError, match="nowhere"):
        write_map(Workspace(folder), request)
    assert not (folder / "walk.map.toml").exists()
