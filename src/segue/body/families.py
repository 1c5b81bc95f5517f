"""Naming families: how the common skeletons call their joints, as tables, and the vocabulary they add up to.

The same word means different joints in different families. `LeftShoulder` is a clavicle in LAFAN1 and an upper arm in
Xsens, `LeftLeg` is a shin in CMU and a thigh in SOMA, and `left_foot` is a toe in SMPL. So a word only limits the roles
that a joint may play, and `segue.body.naming` lets the tree decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from segue.body.spelling import JointName, spelled

ARM = ("clavicle", "upper_arm", "forearm", "hand")
LEG = ("thigh", "shin", "foot", "toe")
_TRUNK = ("pelvis", "spine", "chest", "neck", "head")
ROLE_NAMES = (*_TRUNK, *(f"{side}_{role}" for side in ("left", "right") for role in (*ARM, "finger", *LEG)))
OPTIONAL_ROLES = frozenset({"neck", *(f"{s}_{r}" for s in ("left", "right") for r in ("clavicle", "finger", "toe"))})

_NONE = "-"


@dataclass(frozen=True)
class Family:
    """The joint names of one naming family; a side's joints are written without the side.

    trunk: pelvis, spine joints and neck joints from the bottom up, separated by spaces and bars; head. arm: clavicle,
    upper arm, forearm, hand. leg: thigh, shin, foot, toe; `-` for a joint the family does not have. extra: further
    joints of a side that tell the family from its neighbours. marker: a prefix, in lower case, that gives it away.
    """

    name: str
    trunk: str
    head: str
    arm: str
    leg: str
    extra: str = ""
    marker: str = ""

    def trunk_names(self) -> tuple[tuple[str, ...], ...]:
        """Return the names of the pelvis, of the spine and of the neck."""
        return tuple(tuple(part.split()) for part in self.trunk.split("|"))

    def limb_roles(self) -> list[tuple[str, str]]:
        """Return (role, name without the side) of the joints of a side."""
        pairs = [*zip(ARM, self.arm.split(), strict=True), *zip(LEG, self.leg.split(), strict=True)]
        return [(role, name) for role, name in pairs if name != _NONE]

    def signature(self, *, with_extra: bool = True) -> frozenset[JointName]:
        """Return the names of the family, parsed."""
        middle = [name for part in self.trunk_names() for name in part] + [self.head]
        sided = [name for _, name in self.limb_roles()] + (self.extra.split() if with_extra else [])
        names = {spelled(name) for name in middle}
        for name in sided:
            names |= {spelled(name)._replace(side=side) for side in ("left", "right")}
        return frozenset(names)


FAMILIES = (
    Family(
        "CMU / MotionBuilder",
        "Hips | LowerBack Spine Spine1 | Neck Neck1",
        "Head",
        "Shoulder Arm ForeArm Hand",
        "UpLeg Leg Foot ToeBase",
        extra="HipJoint FingerBase HandIndex1 Thumb",
    ),
    Family(
        "LAFAN1",
        "Hips | Spine Spine1 Spine2 | Neck",
        "Head",
        "Shoulder Arm ForeArm Hand",
        "UpLeg Leg Foot Toe",
    ),
    Family(
        "Mixamo",
        "Hips | Spine Spine1 Spine2 | Neck",
        "Head",
        "Shoulder Arm ForeArm Hand",
        "UpLeg Leg Foot ToeBase",
        extra="HandThumb1 HandIndex1 HandIndex2 HandMiddle1 HandMiddle2 HandRing1 HandPinky1",
        marker="mixamorig",
    ),
    Family(
        "MotionBuilder / Nokov",
        "Hips | Spine Spine1 Spine2 | Neck",
        "Head",
        "Shoulder Arm ForeArm Hand",
        "UpLeg Leg Foot ToeBase",
    ),
    Family(
        "Noitom",
        "Hips | Spine Spine1 Spine2 Spine3 | Neck",
        "Head",
        "Shoulder Arm ForeArm Hand",
        "UpLeg Leg Foot -",
        extra="HandThumb1 InHandIndex HandIndex1 InHandMiddle HandMiddle1 InHandRing InHandPinky",
    ),
    Family(
        "Xsens",
        "Hips | Chest Chest2 Chest3 Chest4 | Neck",
        "Head",
        "Collar Shoulder Elbow Wrist",
        "Hip Knee Ankle Toe",
    ),
    Family(
        "Xsens MVN",
        "Pelvis | L5 L3 T12 T8 | Neck",
        "Head",
        "Shoulder UpperArm ForeArm Hand",
        "UpperLeg LowerLeg Foot Toe",
    ),
    Family(
        "Unreal mannequin",
        "pelvis | spine_01 spine_02 spine_03 | neck_01",
        "head",
        "clavicle upperarm lowerarm hand",
        "thigh calf foot ball",
        extra="index_01 middle_01 ring_01 pinky_01 thumb_01",
    ),
    Family(
        "Unity / VRM humanoid",
        "Hips | Spine Chest UpperChest | Neck",
        "Head",
        "Shoulder UpperArm LowerArm Hand",
        "UpperLeg LowerLeg Foot Toes",
        marker="j_bip",
    ),
    Family(
        "Segue figure",
        "pelvis | torso |",
        "head",
        "clavicle upper_arm forearm hand",
        "thigh shank foot toes",
    ),
    Family(
        "SMPL",
        "pelvis | spine1 spine2 spine3 | neck",
        "head",
        "collar shoulder elbow wrist",
        "hip knee ankle foot",
        extra="hand",
    ),
    Family(
        "SMPL-X",
        "pelvis | spine1 spine2 spine3 | neck",
        "head",
        "collar shoulder elbow wrist",
        "hip knee ankle foot",
        extra="index1 middle1 pinky1 ring1 thumb1 index2 middle2 pinky2 ring2 thumb2",
    ),
    Family(
        "SOMA",
        "Hips | Spine1 Spine2 Chest | Neck1 Neck2",
        "Head",
        "Shoulder Arm ForeArm Hand",
        "Leg Shin Foot ToeBase",
    ),
    Family(
        "Poser / Second Life",
        "hip | abdomen chest | neck",
        "head",
        "Collar Shldr ForeArm Hand",
        "Thigh Shin Foot -",
        extra="Buttock",
    ),
    Family(
        "Second Life Bento",
        "Pelvis | Torso Chest | Neck",
        "Head",
        "Collar Shoulder Elbow Wrist",
        "Hip Knee Ankle Foot",
        extra="Toe",
    ),
    Family(
        "Daz",
        "hip | abdomenLower abdomenUpper chestLower chestUpper | neckLower neckUpper",
        "head",
        "Collar ShldrBend ForearmBend Hand",
        "ThighBend Shin Foot Toe",
        extra="ShldrTwist ForearmTwist ThighTwist Metatarsals",
    ),
    Family(
        "3ds Max Biped",
        "Pelvis | Spine Spine1 Spine2 | Neck",
        "Head",
        "Clavicle UpperArm Forearm Hand",
        "Thigh Calf Foot Toe0",
        extra="Finger0 Finger1",
        marker="bip",
    ),
    Family(
        "Character Creator",
        "Hip | Waist Spine01 Spine02 | NeckTwist01 NeckTwist02",
        "Head",
        "Clavicle Upperarm Forearm Hand",
        "Thigh Calf Foot ToeBase",
        marker="cc_base",
    ),
    Family(
        "Rokoko",
        "Hips | Spine Spine2 Spine3 | Neck",
        "Head",
        "Shoulder Arm ForeArm Hand",
        "Thigh Shin Foot Toe",
    ),
    Family(
        "Blender Rigify",
        "spine | spine.001 spine.002 spine.003 | spine.004 spine.005",
        "spine.006",
        "shoulder upper_arm forearm hand",
        "thigh shin foot toe",
    ),
    Family(
        "MakeHuman",
        "root | spine05 spine04 spine03 spine02 spine01 | neck01 neck02 neck03",
        "head",
        "clavicle upperarm01 lowerarm01 wrist",
        "upperleg01 lowerleg01 foot toe1-1",
        extra="shoulder01 upperarm02 lowerarm02 upperleg02 lowerleg02",
    ),
    Family(
        "Auto-Rig Pro",
        "root.x | spine_01.x spine_02.x spine_03.x | neck.x",
        "head.x",
        "shoulder arm_stretch forearm_stretch hand",
        "thigh_stretch leg_stretch foot toes_01",
    ),
    Family(
        "OptiTrack",
        "Hip | Ab Chest | Neck",
        "Head",
        "Shoulder UArm FArm Hand",
        "Thigh Shin Foot Toe",
    ),
    Family(
        "Kinect",
        "SpineBase | SpineMid SpineShoulder | Neck",
        "Head",
        "- Shoulder Elbow Wrist",
        "Hip Knee Ankle Foot",
        extra="Hand HandTip Thumb",
    ),
    Family(
        "Acclaim",
        "root | lowerback upperback thorax | lowerneck upperneck",
        "head",
        "clavicle humerus radius wrist",
        "femur tibia foot toes",
        extra="hipjoint hand fingers thumb",
    ),
    Family(
        "H-Anim",
        "sacroiliac | vl5 vt6 vt1 | vc4",
        "skullbase",
        "sternoclavicular shoulder elbow radiocarpal",
        "hip knee talocrural -",
    ),
    Family(
        "MikuMikuDance",
        "下半身 | 上半身 上半身2 | 首",
        "頭",
        "肩 腕 ひじ 手首",
        "足 ひざ 足首 つま先",
    ),
)

# words that belong to no family above but can only mean one joint
_FURTHER_WORDS = {
    "pelvis": "CenterHip waist cog",
    "head": "skull",
    "neck": "cervical",
    "clavicle": "Scapula ShoulderBlade",
    "upper_arm": "ArmUpper UpArm ArmUp",
    "forearm": "ArmLower LowArm ArmLow LoArm Ulna",
    "hand": "Palm",
    "thigh": "LegUpper LegUp UpperThigh",
    "shin": "Shank LowLeg LegLower LegLow LoLeg",
    "toe": "ToesBase ForeFoot",
}


def _vocabulary() -> Mapping[str, frozenset[str]]:
    """Return, for each word, the roles that some family gives to a joint of that name."""
    roles: dict[str, set[str]] = {}

    def add(role: str, names: Iterable[str]) -> None:
        for name in names:
            roles.setdefault(spelled(name).key, set()).add(role)

    for family in FAMILIES:
        for role, names in zip(("pelvis", "spine", "neck"), family.trunk_names(), strict=True):
            add(role, names)
        add("head", [family.head])
        for role, name in family.limb_roles():
            add(role, [name])
    for role, words in _FURTHER_WORDS.items():
        add(role, words.split())
    roles.pop("", None)  # what remains of "L5", a vertebra, when the side is taken off
    return {word: frozenset(found) for word, found in roles.items()}


VOCABULARY: Mapping[str, frozenset[str]] = _vocabulary()
_SIGNATURES = tuple((family, family.signature()) for family in FAMILIES)
_CORES = {family.name: family.signature(with_extra=False) for family in FAMILIES}
_MOST_OF_A_FAMILY = 0.75


def family_of(names: Sequence[str], parsed: Iterable[JointName]) -> str:
    """Return the family whose names these are: by its own prefix, or by the largest overlap; else "by name"."""
    present = frozenset(parsed)
    best, best_score = "by name", 0.0
    for family, expected in _SIGNATURES:
        shared = len(present & expected)
        if shared < _MOST_OF_A_FAMILY * len(_CORES[family.name]):
            continue
        # the Dice coefficient: a family that lacks the skeleton's fingers loses to one that has them
        score = 2.0 * shared / (len(present) + len(expected))
        if family.marker and sum(family.marker in name.lower() for name in names) > len(names) / 2:
            score += 1.0
        if score > best_score:
            best, best_score = family.name, score
    return best
