"""The map file: what the user says goes, as far as it fits the tree, and a slip is pointed out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from segue.body.roles import find_roles, load_map
from segue.body.skeleton import Skeleton
from segue.errors import FileFormatError, SegueError, SkeletonError
from tests.body.humanoids import PEOPLE

LAFAN1 = PEOPLE["lafan1"]


def write(folder: Path, text: str) -> Path:
    path = folder / "map.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_whole_map_for_names_that_say_nothing(tmp_path: Path) -> None:
    numbers = {name: f"bone {j}" for j, name in enumerate(LAFAN1.names)}
    skeleton = LAFAN1.skeleton(rename=numbers.__getitem__)
    lines = []
    for role, names in LAFAN1.roles.items():
        joints = [f'"{numbers[name]}"' for name in names.split(", ")]
        lines.append(f"{role} = {joints[0] if len(joints) == 1 else '[' + ', '.join(joints) + ']'}")
    roles = find_roles(skeleton, map=load_map(write(tmp_path, "\n".join(lines))))
    assert roles.family == "map file"
    assert roles.limbs() == find_roles(LAFAN1.skeleton()).limbs()
    assert roles.spine == find_roles(LAFAN1.skeleton()).spine


def test_a_partial_map_overrides_names() -> None:
    skeleton = PEOPLE["second life bento"].skeleton()
    roles = find_roles(skeleton, map={"left_toe": "mToeLeft"})
    assert roles.named(skeleton)["left_toe"] == "mToeLeft"
    assert roles.named(skeleton)["right_toe"] == "mFootRight"


def test_a_partial_map_moves_the_rest_of_its_limb() -> None:
    skeleton = PEOPLE["daz"].skeleton()
    roles = find_roles(skeleton, map={"left_thigh": "lThighTwist"})
    assert roles.named(skeleton)["left_thigh"] == "lThighTwist"
    assert roles.named(skeleton)["left_shin"] == "lShin"


def test_a_map_can_pick_one_of_two_people() -> None:
    one = LAFAN1.skeleton()
    names = tuple(f"{who}:{name}" for who in "AB" for name in one.names)
    parents = (*one.parents, *(-1 if parent < 0 else parent + len(one) for parent in one.parents))
    both = Skeleton(names, parents, np.concatenate([one.offsets, one.offsets]))
    with pytest.raises(SkeletonError, match="two joints could be the left upper arm"):
        find_roles(both)
    limbs = {role: f"B:{LAFAN1.roles[role]}" for role in LAFAN1.roles if role.endswith(("upper_arm", "thigh"))}
    roles = find_roles(both, map=limbs)
    assert roles.named(both)["pelvis"] == "B:Hips"
    assert roles.named(both)["head"] == "B:Head"


def test_a_map_can_say_that_there_is_none() -> None:
    roles = find_roles(PEOPLE["cmu"].skeleton(), map={"left_toe": "", "neck": [], "right_finger": ""})
    assert roles.left.toe is None
    assert roles.right.finger is None
    assert roles.left.finger is not None
    assert roles.neck == ()


def test_spine_and_chest() -> None:
    skeleton = PEOPLE["xsens"].skeleton()
    assert find_roles(skeleton, map={"chest": "Chest4"}).spine == find_roles(skeleton).spine
    shorter = find_roles(skeleton, map={"spine": ["Chest2", "Chest4"]})
    assert [skeleton.names[j] for j in shorter.spine] == ["Chest2", "Chest4"]
    assert skeleton.names[shorter.chest] == "Chest4"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('pelvis = "Hips"\nleft_tigh = "LeftUpLeg"', 2, "did you mean 'left_thigh'?"),
        ('banana = "Hips"', 1, "the roles are pelvis, spine"),
        ("pelvis = Hips", 1, "not TOML"),
        ('\n\npelvis = "Hips', 3, "not TOML"),
        ("pelvis = 3", 1, "a joint name in quotes is needed"),
        ('spine = ["Spine", 4]', 1, "a list of joint names"),
        ('left_thigh = ["a", "b"]', 1, "exactly one is needed"),
        ('left_thigh = ""', 1, "is given no joint"),
        ('[left]\nthigh = "LeftUpLeg"', 1, "there is no role 'left'"),
    ],
)
def test_a_slip_in_the_file_is_pointed_out(tmp_path: Path, text: str, line: int, said: str) -> None:
    with pytest.raises(FileFormatError) as caught:
        load_map(write(tmp_path, text))
    assert said in str(caught.value)
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="cannot be read"):
        load_map(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileFormatError, match="not text"):
        load_map(tmp_path / "binary.toml")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"left_thigh": "LeftUpleg"}, "did you mean 'LeftUpLeg'?"),
        ({"left_thigh": "xyzzy"}, "there are Hips, Spine"),
        ({"left_thigh": "RightUpLeg", "right_thigh": "RightUpLeg"}, "two roles, left_thigh and right_thigh"),
        ({"left_shin": "RightLeg"}, "'RightLeg' cannot be left_shin: it does not hang below 'LeftUpLeg'"),
        ({"left_thigh": "LeftFoot", "left_foot": "LeftUpLeg"}, "does not hang below"),
        ({"pelvis": "Spine2"}, "does not hang below"),
        ({"chest": "LeftFoot"}, "does not hang below"),
        ({"head": "LeftFoot"}, "'LeftFoot' cannot be the head"),
        ({"spine": ["Spine1", "Spine"]}, "does not hang below"),
        ({"left_clavicle": "Spine2"}, "Spine2"),
        ({"waist": "Hips"}, "there is no role 'waist'"),
    ],
)
def test_a_map_that_does_not_fit_is_refused(given: dict[str, str], said: str) -> None:
    with pytest.raises(SegueError) as caught:
        find_roles(LAFAN1.skeleton(), map=given)
    assert said in str(caught.value)
