"""Shape: with every name taken away, the tree and its lengths still tell which joint is what, and what is no person."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from itertools import count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.body.roles import Roles, find_roles
from segue.body.shape import limbs_by_shape, rest_positions
from segue.body.skeleton import Skeleton
from segue.errors import SegueWarning, SkeletonError
from segue.io import read
from tests.body.humanoids import PEOPLE
from tests.mocap import MOCAP, needs_mocap

# without names these are read otherwise, and no worse: a single bone of hair or face above the head, several bones
# from ankle to toe, arms that hang on the neck and legs that hang on the spine
READ_OTHERWISE = {"poser", "daz", "biped"}
PLAIN = [name for name in PEOPLE if name not in READ_OTHERWISE]


def numbered() -> Callable[[str], str]:
    numbers = count()
    return lambda name: f"j{next(numbers)}"


def joints(roles: Roles) -> dict[str, object]:
    fingerless = {role: joint for role, joint in roles.limbs().items() if not role.endswith("finger")}
    return {"pelvis": roles.pelvis, "spine": roles.spine, "neck": roles.neck, "head": roles.head, **fingerless}


@pytest.mark.parametrize("name", PLAIN)
def test_a_moving_skeleton_without_names(name: str) -> None:
    clip = PEOPLE[name].walking(rename=numbered())
    found = find_roles(clip.skeleton, clip.world[0])
    assert found.family == "by shape"
    assert joints(found) == joints(find_roles(PEOPLE[name].skeleton()))


@pytest.mark.parametrize("name", [name for name in PLAIN if name not in ("rigify", "makehuman")])
def test_a_rest_pose_without_names(name: str) -> None:
    found = find_roles(PEOPLE[name].skeleton(rename=numbered()))
    assert joints(found) == joints(find_roles(PEOPLE[name].skeleton()))


def test_a_flat_rest_pose_does_not_tell_left_from_right() -> None:
    skeleton = PEOPLE["poser"].skeleton(rename=numbered())
    flat = Skeleton(skeleton.names, skeleton.parents, skeleton.offsets * [1, 1, 0])
    with pytest.warns(SegueWarning, match="left and right cannot be distinguished"):
        find_roles(flat)


@pytest.mark.parametrize("name", sorted(READ_OTHERWISE))
def test_limbs_are_the_same_where_the_trunk_is_read_otherwise(name: str) -> None:
    clip = PEOPLE[name].walking(rename=numbered())
    found, named = (
        find_roles(skeleton, clip.world[0]).limbs() for skeleton in (clip.skeleton, PEOPLE[name].skeleton())
    )
    for role in named:
        if not role.endswith(("finger", "toe")):
            assert found[role] == named[role], role


def test_a_finger_without_a_name_is_in_its_hand() -> None:
    person = PEOPLE["smpl-x"]
    clip = person.walking(rename=numbered())
    roles = find_roles(clip.skeleton, clip.world[0])
    for side in (roles.left, roles.right):
        assert side.finger is not None
        assert side.hand in clip.skeleton.ancestors(side.finger)


def test_left_is_told_by_the_body_not_by_file_order() -> None:
    """The same person mirrored has the limb that stood first in the file on the other side."""
    clip = PEOPLE["lafan1"].walking(rename=numbered())
    mirrored = clip.world[0] * [-1, 1, 1]
    straight, swapped = find_roles(clip.skeleton, clip.world[0]), find_roles(clip.skeleton, mirrored)
    assert swapped.left == straight.right
    assert swapped.right == straight.left


def test_names_that_tell_only_the_side_are_used() -> None:
    person = PEOPLE["lafan1"]
    numbers = count()
    clip = person.walking(
        rename=lambda name: f"{'L_' if 'Left' in name else ''}{'R_' if 'Right' in name else ''}j{next(numbers)}"
    )
    mirrored = clip.world[0] * [-1, 1, 1]  # a left-handed file: the names are right about the side
    assert joints(find_roles(clip.skeleton, mirrored)) == joints(find_roles(person.skeleton()))


def test_skirt_and_hair_are_neither_limbs_nor_people() -> None:
    person = PEOPLE["unreal 5"]
    skeleton = person.skeleton(rename=numbered())
    names, parents, offsets = list(skeleton.names), list(skeleton.parents), [*skeleton.offsets]
    for on, strands, bones, length in (("pelvis", 24, 4, 0.12), ("head", 30, 5, 0.06)):
        for angle in np.linspace(0, 2 * np.pi, strands, endpoint=False):
            parent = person.names.index(on)
            for _ in range(bones):
                parents.append(parent)
                offsets.append(length * np.array([0.3 * np.sin(angle), -0.9, 0.3 * np.cos(angle)]))
                names.append(f"j{len(names)}")
                parent = len(names) - 1
    dressed = Skeleton(tuple(names), tuple(parents), np.array(offsets), skeleton.ends)
    assert joints(find_roles(dressed)) == joints(find_roles(person.skeleton()))


def test_one_limb_without_names_is_filled_in() -> None:
    person = PEOPLE["lafan1"]
    clip = person.walking(rename=lambda name: {"LeftForeArm": "bone7", "LeftHand": "bone8"}.get(name, name))
    found = find_roles(clip.skeleton, clip.world[0])
    assert joints(found) == joints(find_roles(person.skeleton()))


@needs_mocap
@pytest.mark.mocap
def test_real_clips_without_names() -> None:
    for path in sorted(MOCAP.glob("*/*.bvh")):
        clip = read(path)
        skeleton = clip.skeleton
        nameless = Skeleton(
            tuple(f"j{j}" for j in range(len(skeleton))), skeleton.parents, skeleton.offsets, skeleton.ends
        )
        step = max(1, len(clip) // 100)
        positions = skeleton.forward(clip.positions[::step], clip.rotations[::step])[0]
        found, named = find_roles(nameless, positions), find_roles(skeleton, positions)
        assert found.limbs() == named.limbs(), path.name
        assert joints(found) == joints(named), path.name


def tree(branches: dict[str, tuple[str | None, tuple[float, float, float]]]) -> Skeleton:
    names = tuple(branches)
    parents = tuple(-1 if parent is None else names.index(parent) for parent, _ in branches.values())
    return Skeleton(names, parents, np.array([offset for _, offset in branches.values()]))


def chain(on: str | None, start: tuple[float, float, float], *steps: tuple[str, tuple[float, float, float]]):
    branches = {}
    for name, offset in steps:
        branches[name] = (on, start if on is None else offset)
        on = name
    return branches


def dog(names: bool) -> Skeleton:
    """A dog: the trunk level, four legs of two long bones each, a tail."""
    branches = chain(None, (0, 0.55, 0), ("Hips", (0, 0, 0)), ("Spine", (0, 0, 0.2)), ("Spine1", (0, 0, 0.25)))
    branches |= chain("Spine1", (0, 0, 0), ("Neck", (0, 0.1, 0.1)), ("Head", (0, 0.12, 0.12)), ("Nose", (0, 0, 0.15)))
    for side, x in (("Left", 1.0), ("Right", -1.0)):
        branches |= chain(
            "Spine1",
            (0, 0, 0),
            (f"{side}Shoulder", (0.05 * x, 0, 0.05)),
            (f"{side}Arm", (0.02 * x, -0.1, 0)),
            (f"{side}ForeArm", (0, -0.18, 0)),
            (f"{side}Hand", (0, -0.18, 0)),
        )
        branches |= chain(
            "Hips",
            (0, 0, 0),
            (f"{side}UpLeg", (0.07 * x, 0, 0)),
            (f"{side}Leg", (0, -0.2, 0)),
            (f"{side}Foot", (0, -0.2, -0.05)),
            (f"{side}Toe", (0, -0.1, 0.05)),
        )
    branches |= chain("Hips", (0, 0, 0), ("Tail", (0, 0, -0.15)), ("Tail1", (0, 0, -0.15)))
    skeleton = tree(branches)
    return (
        skeleton
        if names
        else Skeleton(tuple(f"j{j}" for j in range(len(skeleton))), skeleton.parents, skeleton.offsets)
    )


def hand() -> Skeleton:
    branches = chain(None, (0, 0, 0), ("Wrist", (0, 0, 0)))
    for finger in range(5):
        steps = [(f"Finger{finger}_{k}", (0.01 * finger, 0.04, 0.0)) for k in range(4)]
        branches |= chain("Wrist", (0, 0, 0), *steps)
    return tree(branches)


def two_people() -> Skeleton:
    one = PEOPLE["lafan1"].skeleton()
    names = tuple(f"{who}:{name}" for who in "AB" for name in one.names)
    parents = (*one.parents, *(-1 if p < 0 else p + len(one) for p in one.parents))
    return Skeleton(
        names, parents, np.concatenate([one.offsets, one.offsets + [[1, 0, 0]] * (np.array(one.parents) < 0)[:, None]])
    )


NO_PERSON = {
    "dog": (dog(names=False), "cannot be understood as one person: no joint was found for left_upper_arm"),
    "dog with a man's names": (dog(names=True), "is an animal's"),
    "hand": (hand(), "no joint was found for left_upper_arm"),
    "chain": (tree(chain(None, (0, 0, 0), *((f"link{k}", (0.0, 0.3, 0.0)) for k in range(9)))), "could not be placed"),
    "point": (tree({"alone": (None, (0.0, 0.0, 0.0))}), "'alone' could not be placed"),
    "two people": (two_people(), "'A:LeftArm' and 'B:LeftArm'"),
    "no legs": (
        tree(
            chain(
                None,
                (0, 0, 0),
                ("Hips", (0, 0, 0)),
                ("Spine", (0, 0.3, 0)),
                ("Neck", (0, 0.2, 0)),
                ("Head", (0, 0.1, 0)),
            )
        ),
        "left_thigh, left_shin, left_foot",
    ),
}


@pytest.mark.parametrize(("skeleton", "said"), NO_PERSON.values(), ids=NO_PERSON.keys())
def test_what_is_no_person_is_refused_in_one_sentence(skeleton: Skeleton, said: str) -> None:
    with pytest.raises(SkeletonError) as caught:
        find_roles(skeleton)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_two_people_without_names_are_counted() -> None:
    both = two_people()
    nameless = Skeleton(tuple(f"j{j}" for j in range(len(both))), both.parents, both.offsets)
    assert len(limbs_by_shape(nameless)) == 2
    with pytest.raises(SkeletonError, match="holds 2 people"):
        find_roles(nameless)


def test_bones_without_length_are_refused() -> None:
    skeleton = PEOPLE["lafan1"].skeleton()
    offsets = skeleton.offsets.copy()
    offsets[skeleton.names.index("LeftLeg")] = 0.0
    with pytest.raises(SkeletonError, match="left thigh has no length"):
        find_roles(Skeleton(skeleton.names, skeleton.parents, offsets))


WORDS = [*PEOPLE["lafan1"].names, *PEOPLE["smpl"].names, *PEOPLE["xsens"].names, "Tail", "ik_foot_l", "bone"]


@given(st.data(), st.integers(1, 40))
def test_any_tree_is_a_person_or_is_refused(data: st.DataObject, count: int) -> None:
    names = tuple(f"{j}:{data.draw(st.sampled_from(WORDS))}" for j in range(count))
    parents = tuple(data.draw(st.integers(-1, j - 1)) for j in range(len(names)))
    offsets = np.array(
        [data.draw(st.sampled_from([(0, 0, 0), (0.3, 0, 0), (0, -0.4, 0), (0, 0.1, 0.2)])) for _ in names]
    )
    skeleton = Skeleton(names, parents, offsets.astype(float))
    with contextlib.suppress(SkeletonError):
        roles = find_roles(skeleton, data.draw(st.sampled_from([None, rest_positions(skeleton)])))
        assert roles.left.thigh in skeleton.ancestors(roles.left.foot)


@given(st.data(), st.sampled_from([name for name in PLAIN if name != "rigify"]))  # whose head has no name
def test_a_person_with_joints_added_anywhere_is_the_same_person(data: st.DataObject, name: str) -> None:
    """Props, cloth and helpers without telling names, each smaller than a limb, hang anywhere."""
    skeleton = PEOPLE[name].skeleton()
    names, parents, offsets = list(skeleton.names), list(skeleton.parents), [*skeleton.offsets]
    for number in range(data.draw(st.integers(1, 8))):
        names.append(f"prop {number}")
        parents.append(data.draw(st.integers(0, len(names) - 2)))
        offsets.append(np.array(data.draw(st.sampled_from([(0, 0, 0), (0, 0, 0.1), (0.05, 0.05, -0.1)])), dtype=float))
    dressed = Skeleton(tuple(names), tuple(parents), np.array(offsets), skeleton.ends)
    assert joints(find_roles(dressed)) == joints(find_roles(skeleton))
