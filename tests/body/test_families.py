"""Names: every family is read rightly, however its names are dressed up, and the tree settles what words leave open."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.body.families import FAMILIES, VOCABULARY
from segue.body.roles import Roles, find_roles
from segue.body.skeleton import Skeleton
from segue.body.spelling import JointName, spelled, spelled_all
from segue.io import read
from tests.body.humanoids import PEOPLE, Person
from tests.mocap import MOCAP, needs_mocap

people = pytest.mark.parametrize("person", PEOPLE.values(), ids=PEOPLE.keys())

DRESSES = {
    "namespace": lambda name: f"rig:body:{name}",
    "mixamo": lambda name: f"mixamorig1:{name}",
    "mixamo, underscore": lambda name: f"mixamorig_{name}",
    "mixamo, joined": lambda name: f"mixamorig{name[0].upper()}{name[1:]}",
    "numbered prefix": lambda name: f"Character1_{name}",
    "biped": lambda name: f"Bip001 {name}",
    "path": lambda name: f"Armature|{name}",
    "suffix": lambda name: f"{name}_jnt",
}


@people
def test_every_family_is_read_by_its_names(person: Person) -> None:
    skeleton = person.skeleton()
    roles = find_roles(skeleton)
    assert roles.named(skeleton) == person.roles
    assert roles.family == person.family


@people
@pytest.mark.parametrize("dress", DRESSES.values(), ids=DRESSES.keys())
def test_prefixes_and_suffixes_change_nothing(person: Person, dress) -> None:
    plain, dressed = person.skeleton(), person.skeleton(rename=dress)
    assert _joints(find_roles(dressed)) == _joints(find_roles(plain))


@people
@pytest.mark.parametrize("case", [str.upper, str.lower], ids=["upper", "lower"])
def test_case_of_separated_names_changes_nothing(person: Person, case) -> None:
    parsed = dict(zip(person.names, spelled_all(person.names, VOCABULARY.keys()), strict=True))

    def separated(name: str) -> str:
        joint = parsed[name]
        side = {"left": "l_", "right": "r_", None: ""}[joint.side]
        return case(f"{side}{joint.key or name}" + "".join(f"_{number}" for number in joint.numbers))

    if len({separated(name) for name in person.names}) < len(person.names):
        pytest.skip("two names of this family differ only in their prefix")
    assert _joints(find_roles(person.skeleton(rename=separated))) == _joints(find_roles(person.skeleton()))


@pytest.mark.parametrize(
    "left", ["Left{0}", "left_{0}", "L{0}", "l_{0}", "{0}_l", "{0}.L", "{0}-left", "{0}Left", "{0} L"]
)
def test_a_side_is_known_however_it_is_written(left: str) -> None:
    right = left.replace("eft", "ight").replace("L", "R").replace("l", "r")

    def rename(name: str) -> str:
        joint = spelled(name)
        words = "".join(filter(str.isalpha, name))
        bare = words.removeprefix("Left").removeprefix("Right")
        return {"left": left, "right": right, None: "{0}"}[joint.side].format(bare)

    person = PEOPLE["xsens"]
    skeleton = person.skeleton(rename=lambda name: rename(name) if spelled(name).side else name)
    assert _joints(find_roles(skeleton)) == _joints(find_roles(person.skeleton()))


@pytest.mark.parametrize(
    ("person", "name", "role"),
    [
        ("lafan1", "LeftShoulder", "left_clavicle"),
        ("xsens", "LeftShoulder", "left_upper_arm"),
        ("smpl", "left_shoulder", "left_upper_arm"),
        ("lafan1", "LeftLeg", "left_shin"),
        ("soma", "LeftLeg", "left_thigh"),
        ("lafan1", "LeftFoot", "left_foot"),
        ("smpl", "left_foot", "left_toe"),
        ("smpl", "left_hand", "left_finger"),
    ],
)
def test_the_tree_settles_what_a_word_leaves_open(person: str, name: str, role: str) -> None:
    skeleton = PEOPLE[person].skeleton()
    assert find_roles(skeleton).named(skeleton)[role] == name


def test_the_file_order_of_joints_does_not_matter() -> None:
    person = PEOPLE["unreal 5"]
    skeleton = person.skeleton()
    rng = np.random.default_rng(3)
    order: list[int] = []
    while len(order) < len(skeleton):
        free = [j for j in range(len(skeleton)) if j not in order and skeleton.parents[j] in (-1, *order)]
        order.append(int(rng.choice(free)))
    place = {old: new for new, old in enumerate(order)}
    shuffled = Skeleton(
        tuple(skeleton.names[j] for j in order),
        tuple(place.get(skeleton.parents[j], -1) for j in order),
        skeleton.offsets[order],
    )
    assert find_roles(shuffled).named(shuffled) == person.roles


def test_families_are_told_apart_by_their_own_names() -> None:
    assert len({family.name for family in FAMILIES}) == len(FAMILIES)
    for word, roles in VOCABULARY.items():
        assert word, "an empty word would match every joint"
        assert roles


@given(st.text(min_size=1, max_size=24))
def test_any_text_can_be_a_name(name: str) -> None:
    joint = spelled(name)
    assert joint.side in (None, "left", "right")
    assert [parsed.side in (None, "left", "right") for parsed in spelled_all([name] * 5, VOCABULARY.keys())] == [
        True
    ] * 5


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("LeftUpLeg", JointName("left", "upleg")),
        ("ns:ns2:RightToe_End", JointName("right", "toeend")),
        ("Bip001 L Toe0", JointName("left", "bip" + "toe", (1, 0))),
        ("spine.001", JointName(None, "spine", (1,))),
        ("upper_arm.L.001", JointName("left", "upperarm", (1,))),
        ("J_Bip_C_Hips", JointName(None, "jbiphips")),
    ],
)
def test_a_name_is_taken_apart(name: str, expected: JointName) -> None:
    assert spelled(name) == expected


@needs_mocap
def test_the_real_clips_are_of_their_families() -> None:
    seen = set()
    for path in sorted(MOCAP.glob("*/*.bvh")):
        roles = find_roles(read(path).skeleton)
        seen.add((path.parent.name, roles.family))
        assert roles.left.toe is not None
        assert roles.right.clavicle is not None
    assert seen == {("cmu", "CMU / MotionBuilder"), ("lafan1", "LAFAN1")}


def _joints(roles: Roles) -> dict[str, object]:
    return {"pelvis": roles.pelvis, "spine": roles.spine, "neck": roles.neck, "head": roles.head, **roles.limbs()}
