"""Gestures: what symbols mean for the limbs, how their files are read, and what is wrong with bad ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.dance.gestures import MOVEMENTS, SHIPPED, SYMBOLS, Category, Gestures, read_gestures
from segue.dance.gestures.anatomy import added, excess, mirrored_pose, values
from segue.dance.notation.model import Body, Foot, FootPosition, Footwork, Head, Modifier, Part, Step
from segue.errors import FileFormatError
from segue.typing import Array

FIGURE = Figure.standard()


def segment(name: str, joint: str, **degrees: float) -> Array:
    """Return where a segment's joint lies when one joint of the zero pose is turned."""
    poses = Poses.zero(1)
    for track, value in values(joint, degrees).items():
        if track in HUMAN.ball_names:
            poses.ball(track)[0] = value
        else:
            poses.hinge(track)[0] = value[0]
    return (
        FIGURE.forward(poses)[0][0, HUMAN.segments.index(name)]
        - FIGURE.forward(Poses.zero(1))[0][0, HUMAN.segments.index(name)]
    )


@pytest.mark.parametrize(
    ("name", "joint", "movement", "axis", "sense"),
    [
        ("head", "lower_back", "forward", 2, 1),
        ("head", "lower_back", "left", 0, 1),
        ("left_shank", "left_hip", "flexion", 2, 1),
        ("right_shank", "right_hip", "flexion", 2, 1),
        ("left_shank", "left_hip", "abduction", 0, 1),
        ("right_shank", "right_hip", "abduction", 0, -1),
        ("left_foot", "left_knee", "flexion", 2, -1),
        ("left_forearm", "left_shoulder", "plane", 2, 0),
        ("left_toes", "left_ankle", "flexion", 1, 1),
    ],
)
def test_movements_go_the_way_their_names_say(name: str, joint: str, movement: str, axis: int, sense: int) -> None:
    shift = segment(name, joint, **{movement: 20.0})
    if sense == 0:  # the arm hangs at no elevation: its plane does nothing
        assert np.allclose(shift, segment(name, joint), atol=1e-9)
    else:
        assert sense * shift[axis] > 0.01


@pytest.mark.parametrize(("side", "sense"), [("left", 1), ("right", -1)])
def test_arms_hang_rise_to_the_side_and_come_forward(side: str, sense: int) -> None:
    shoulder, elbow = f"{side}_shoulder", f"{side}_forearm"
    hanging = segment(elbow, shoulder)
    raised = segment(elbow, shoulder, elevation=90.0)
    before = segment(elbow, shoulder, elevation=90.0, plane=90.0)
    assert np.allclose(raised, 0.0, atol=1e-9), "the zero pose has the arms out"
    assert hanging[1] < -0.2
    assert before[2] > 0.2
    assert sense * before[0] < -0.2


@pytest.mark.parametrize(("joint", "movement"), [("left_hip", "rotation"), ("right_hip", "rotation")])
def test_outward_rotation_turns_the_toes_out(joint: str, movement: str) -> None:
    side = joint.split("_")[0]
    sense = 1 if side == "left" else -1
    assert sense * segment(f"{side}_toes", joint, **{movement: 30.0})[0] > 0.01


def test_turns_to_the_left_are_counter_clockwise() -> None:
    for joint in ("lower_back", "neck"):
        assert values(joint, {"turn": 30.0})[joint][2] > 0.2


def test_every_joint_but_the_root_has_movements_and_tracks() -> None:
    assert set(MOVEMENTS) == {joint.name for joint in HUMAN.joints} - {"root"}
    tracks = [track for joint in MOVEMENTS for track in values(joint, {})]
    assert sorted(tracks) == sorted(set(HUMAN.ball_names) - {"root"} | set(HUMAN.hinge_names))


poses = st.dictionaries(st.sampled_from(sorted(MOVEMENTS)), st.just({}), max_size=4).flatmap(
    lambda found: st.fixed_dictionaries(
        {joint: st.fixed_dictionaries({name: st.floats(-30, 30) for name in MOVEMENTS[joint]}) for joint in found}
    )
)


@given(poses)
def test_a_mirror_image_twice_is_the_pose_itself(pose: dict[str, dict[str, float]]) -> None:
    assert mirrored_pose(mirrored_pose(pose)) == pose


@given(poses)
def test_the_mirror_image_of_a_pose_is_seen_in_the_figure(pose: dict[str, dict[str, float]]) -> None:
    def heights(said: dict[str, dict[str, float]]) -> Array:
        made = Poses.zero(1)
        for joint, orientation in said.items():
            for track, value in values(joint, orientation).items():
                (made.ball(track)[0:1] if track in HUMAN.ball_names else made.hinge(track)[0:1])[:] = value
        return FIGURE.forward(made)[0][0]

    one, other = heights(pose), heights(mirrored_pose(pose))
    for i, name in enumerate(HUMAN.segments):
        side = name.split("_")[0]
        twin = {"left": "right", "right": "left"}.get(side)
        image = HUMAN.segments.index(name.replace(side, twin, 1)) if twin else i
        assert np.allclose(one[i] * (-1, 1, 1), other[image], atol=1e-9)


def test_symbols_of_a_step_are_added() -> None:
    total = added({"lower_back": {"turn": 45.0}}, {"lower_back": {"turn": -5.0, "left": 4.0}}, {"neck": {"turn": 1.0}})
    assert total == {"lower_back": {"turn": 40.0, "left": 4.0}, "neck": {"turn": 1.0}}


@pytest.mark.parametrize("dance", ["foxtrot", "waltz", "tango", "cha cha", "rumba", "swing", "some dance of my own"])
@pytest.mark.parametrize("part", list(Part))
def test_every_symbol_has_a_gesture_within_the_joints_limits(dance: str, part: Part) -> None:
    gestures = Gestures.load(dance, part)
    for category, symbols in SYMBOLS.items():
        for symbol in symbols:
            gesture = gestures.table[symbol]
            assert gesture.category is category
            for goal in (*gesture.goals, *gesture.mirrored().goals):
                assert all(excess(joint, said) == pytest.approx(0.0, abs=1e-6) for joint, said in goal.items())


def test_categories_move_limbs_of_their_own() -> None:
    joints = {path.stem: set(read_gestures(path).joints()) for path in SHIPPED.glob("*.toml")}
    names = sorted(joints)
    assert len(names) == len(Category)
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            assert not joints[one] & joints[other]


def test_fourth_position_differs_between_foxtrot_and_waltz() -> None:
    foxtrot, waltz = (Gestures.load(dance).table["FWD"].goals for dance in ("foxtrot", "waltz"))
    assert len(foxtrot) == 2
    assert waltz == foxtrot[:1], "the foxtrot passes mid-gait, where the waltz ends"
    assert foxtrot[1]["right_knee"]["flexion"] > 15, "the trailing knee is bent"


def test_names_of_dances_are_forgiving() -> None:
    assert Gestures.load("Cha-Cha").table["leader"] == Gestures.load("cha cha").table["leader"]
    assert Gestures.load("cha cha").table["leader"] != Gestures.load("waltz").table["leader"]


def test_gestures_of_a_step_are_for_the_foot_that_moves() -> None:
    gestures = Gestures.load("waltz")
    for foot, side in ((Foot.LEFT, "left"), (Foot.RIGHT, "right")):
        found = gestures.of_step(Step(foot, FootPosition.FORWARD, 1, footwork=Footwork.TOE, head=Head.LEFT))
        assert found[Category.FOOTWORK][0].goals[0].keys() == {f"{side}_ankle", f"{side}_toe"}
        assert found[Category.FOOT][0].goals[0][f"{side}_hip"]["flexion"] > 0
        assert found[Category.HEAD][0].goals[0] == {"neck": {"turn": 45.0}}, "a look is the same for either foot"


def test_what_is_not_written_has_no_gesture() -> None:
    found = Gestures.load("waltz").of_step(Step(Foot.HOLD, None, 1))
    assert found.keys() == {Category.ARMS}


def test_body_symbols_of_a_step_are_all_there() -> None:
    step = Step(
        Foot.LEFT,
        FootPosition.FORWARD,
        1,
        frozenset({Modifier.CONTRA_BODY, Modifier.SMALL}),
        body=frozenset({Body.SWAY_LEFT, Body.CONTRA_BODY_MOVEMENT}),
    )
    found = Gestures.load("waltz").of_step(step)[Category.BODY]
    assert {gesture.symbol for gesture in found} == {"CBMP", "SWL", "CBM"}


HEAD = 'category = "Head Position"\n'


def test_files_of_ones_own_go_before_those_that_come_with_segue(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(HEAD + "[[LL.goals]]\nneck = { turn = 20, forward = -5 }\n")
    gestures = Gestures.load("waltz", folder=tmp_path)
    assert gestures.table["LL"].goals == ({"neck": {"turn": 20.0, "forward": -5.0}},)
    assert gestures.table["LR"] == Gestures.load("waltz").table["LR"]


def test_a_joint_of_two_categories_is_told_with_both(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(HEAD + "[[LL.goals]]\nlower_back = { turn = 20 }\n")
    with pytest.raises(FileFormatError) as complaint:
        Gestures.load("waltz", folder=tmp_path)
    told = str(complaint.value)
    assert told.startswith(str(path))
    assert "lower_back is moved by Head Position ('LL') and by Body Modifier" in told
    assert "in body.toml" in told


def test_the_mirror_image_belongs_to_the_category_too(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('category = "Arms"\n[[leader.goals]]\nright_ankle = { flexion = 2 }\n')
    with pytest.raises(FileFormatError, match="right_ankle is moved by Arms"):
        Gestures.load("waltz", folder=tmp_path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[LL.goals]]\nneck = { turn = 5 }", "this file has no 'category': one of Head Position, Foot Position"),
        ('category = "Hat"', "bad.toml:1: 'category' is 'Hat': it must be one of Head Position"),
        (HEAD + "[[XX.goals]]\nneck = { turn = 5 }", "Head Position has no symbol 'XX': there are LL, NP, LR"),
        (HEAD + "[[LL.goals]]\nneckk = { turn = 5 }", "'LL' names the joint 'neckk': there are lower_back, neck"),
        (
            HEAD + "[[LL.goals]]\nneck = { twist = 5 }",
            "bad.toml:3: [LL.goals.neck] has no 'twist': there are forward, left, turn",
        ),
        (HEAD + "[[LL.goals]]\nneck = 5", "bad.toml:3: 'neck' must be a table: write [LL.goals.neck]"),
        (
            HEAD + "[[LL.goals]]\nneck = { turn = true }",
            "bad.toml:3: 'turn' is True: a number of degrees from -360 to 360",
        ),
        (
            HEAD + "[[LL.goals]]\nneck = { turn = nan }",
            "bad.toml:3: 'turn' is nan: a number of degrees from -360 to 360",
        ),
        (HEAD + f"[[LL.goals]]\nneck = {{ turn = {400 * '9'} }}", "'turn' is a whole number of more than 64 bits"),
        (
            HEAD + f"[LL]\nsway = -{400 * '9'}\n[[LL.goals]]\nneck = {{ turn = 5 }}",
            "'sway' is a whole number of more than 64 bits",
        ),
        (HEAD + "[[LL.goals]]\nneck = { turn = 120 }", "neck of 'LL' is 25 degrees beyond what the joint can do"),
        (HEAD + "[[LL.goals]]\nleft_knee = { flexion = -20 }", "left_knee of 'LL' is 13 degrees beyond"),
        (HEAD + "[LL]\nsway = 5", "'LL' needs 1 to 8 goals, each under [[LL.goals]]"),
        (HEAD + "[LL]\ngoals = 3", "'goals' must be a list of tables: write [[LL.goals]] before each"),
        (HEAD + "LL = 3", "bad.toml:2: 'LL' must be a table: write [LL]"),
        (HEAD + "[LL]\nspeed = 3", "bad.toml:3: [LL] has no 'speed': there are goals, sway"),
        (HEAD + "[LL]\ngoals = [3]", "'goals' must be a list of tables: write [[LL.goals]] before each"),
        (
            HEAD + "[LL]\nsway = 50\n[[LL.goals]]\nneck = { turn = 5 }",
            "bad.toml:3: 'sway' is 50: a number of degrees from -20 to 20 is needed",
        ),
        (HEAD + "dance = 3", "'dance' must be a table: write [dance]"),
        (HEAD + "[dance]\nwaltz = 3", "'waltz' must be a table: write [dance.waltz]"),
        (HEAD + "[[LL.goals]", "not TOML"),
    ],
)
def test_bad_files_are_told_in_a_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(FileFormatError) as complaint:
        read_gestures(path)
    assert sentence in str(complaint.value)
    assert str(complaint.value).startswith(str(path))
    assert "\n" not in str(complaint.value)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (HEAD + "\n# looks\n[[LL.goals]]\nneck = { turn = 5 }\n[[LR.goals]]\nneck = { turn = 500 }\n", 7),
        (HEAD + "[[LL.goals]]\nneck = { turn = 5 }\n[[LL.goals]]\nneck = { turn = 500 }\n", 5),
        (HEAD + "[[LL.goals]]\nneck = { turn = 5 }\n[[dance.waltz.LL.goals]]\n\nneck = { turn = 'x' }\n", 6),
        (HEAD + "[[dance.waltz.LL.goals]]\nneck = { turn = 5 }\n[[LL.goals]]\nneckk = { turn = 5 }\n", 5),
        (HEAD + "[LL]\nsway = 50\n[[LL.goals]]\nneck = { turn = 5 }\n", 3),
        (HEAD + "[[LL.goals]]\nneck = { turn = 5 }\n[[XX.goals]]\n", 4),
        ("# looks\ncategory = 'Hat'\n", 2),
        ("[[LL.goals]]\nneck = { turn = 5 }\n", None),
    ],
)
def test_faults_are_told_with_their_line(tmp_path: Path, text: str, line: int | None) -> None:
    (tmp_path / "bad.toml").write_text(text)
    with pytest.raises(FileFormatError) as complaint:
        read_gestures(tmp_path / "bad.toml")
    assert complaint.value.line == line


def test_folders_without_gestures_are_told(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"the folder has no file of gestures"):
        Gestures.load("waltz", folder=tmp_path)
    with pytest.raises(FileFormatError, match=r"there is no such folder"):
        Gestures.load("waltz", folder=tmp_path / "none")
