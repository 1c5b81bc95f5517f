"""Skeletons of a person 1.75 m tall in a T pose, Y up, facing +Z, put together from any family's joint names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.motion.clip import Clip

PLACES = {
    "pelvis": (0.0, 0.96, 0.0),
    "chest": (0.0, 1.30, -0.02),
    "neck": (0.0, 1.47, -0.01),
    "head": (0.0, 1.57, 0.01),
    "crown": (0.0, 1.75, 0.01),
    "clavicle": (0.02, 1.42, 0.0),
    "upper_arm": (0.18, 1.42, -0.02),
    "forearm": (0.47, 1.42, -0.03),
    "hand": (0.72, 1.42, -0.01),
    "finger": (0.81, 1.42, -0.01),
    "thigh": (0.09, 0.92, 0.0),
    "shin": (0.09, 0.50, 0.01),
    "foot": (0.09, 0.09, -0.03),
    "toe": (0.09, 0.02, 0.10),
}
SIDES = (("left", 1.0), ("right", -1.0))
SPELLINGS = (
    {"Side": "Left", "side": "left", "S": "L", "s": "l", "SIDE": "左"},
    {"Side": "Right", "side": "right", "S": "R", "s": "r", "SIDE": "右"},
)


@dataclass
class Person:
    """The names of one skeleton; a side is written {Side}, {side}, {S} or {s}.

    arm, leg: "role=name" from the trunk outwards; "~name" is a joint in the place of the one before it, "+name" one
    half way to the next. arms_on, legs_on: the joint that carries them, where that is not chest and pelvis. extra:
    (name, parent, offset) of joints that play no part.
    """

    pelvis: str
    spine: Sequence[str]
    head: str
    arm: Sequence[str]
    leg: Sequence[str]
    neck: Sequence[str] = ()
    above: Sequence[str] = ()
    arms_on: str | None = None
    legs_on: str | None = None
    extra: Sequence[tuple[str, str, tuple[float, float, float]]] = ()
    family: str = "by name"
    names: list[str] = field(init=False, default_factory=list)
    parents: list[int] = field(init=False, default_factory=list)
    places: list[np.ndarray] = field(init=False, default_factory=list)
    roles: dict[str, str] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        parent = None
        for name in self.above:
            parent = self._add(name, parent, (0.0, 0.0, 0.0))
        parent = self._add(self.pelvis, parent, PLACES["pelvis"])
        for name, share in zip(self.spine, np.linspace(0, 1, len(self.spine) + 1)[1:], strict=True):
            parent = self._add(name, parent, _between("pelvis", "chest", share))
        chest = parent
        for name, share in zip(self.neck, np.linspace(0, 1, len(self.neck) + 1)[:-1], strict=True):
            parent = self._add(name, parent, _between("neck", "head", share))
        self._add(self.head, parent, PLACES["head"])
        self.roles |= {"pelvis": self.pelvis, "spine": ", ".join(self.spine), "head": self.head}
        if self.neck:
            self.roles["neck"] = ", ".join(self.neck)
        for (side, sign), spelling in zip(SIDES, SPELLINGS, strict=True):
            self._limb(self.arm, self.arms_on or chest, "chest", side, sign, spelling)
            self._limb(self.leg, self.legs_on or self.pelvis, "pelvis", side, sign, spelling)
        for pattern, on, offset in self.extra:
            for (_, sign), spelling in zip(SIDES, SPELLINGS, strict=True):
                name, carrier = pattern.format(**spelling), on.format(**spelling)
                if name not in self.names:
                    place = self.places[self.names.index(carrier)] + np.array(offset) * [sign, 1, 1]
                    self._add(name, carrier, tuple(place))

    def _limb(
        self, chain: Sequence[str], on: str, start: str, side: str, sign: float, spelling: dict[str, str]
    ) -> None:
        parent, here = on, np.array(PLACES[start])
        for place, entry in enumerate(chain):
            role, _, name = entry.rpartition("=")
            name = name.lstrip("~+").format(**spelling)
            if role:
                self.roles[f"{side}_{role}"] = name
                here = np.array(PLACES[role]) * [sign, 1, 1]
            elif entry.startswith("+"):
                further = next(e for e in chain[place:] if "=" in e).partition("=")[0]
                here = 0.5 * (here + np.array(PLACES[further]) * [sign, 1, 1])
            parent = self._add(name, parent, tuple(here))

    def _add(self, name: str, parent: str | None, place: tuple[float, ...]) -> str:
        self.names.append(name)
        self.parents.append(-1 if parent is None else self.names.index(parent))
        self.places.append(np.array(place))
        return name

    def skeleton(self, scale: float = 1.0, rename=lambda name: name) -> Skeleton:
        """Return the skeleton, in units of 1/scale metres, with joints renamed; the crown and the toes have tips."""
        offsets = [
            place - (self.places[parent] if parent >= 0 else 0.0)
            for place, parent in zip(self.places, self.parents, strict=True)
        ]
        tips = {self.names.index(self.head): np.subtract(PLACES["crown"], PLACES["head"])}
        for side, _ in SIDES:
            if f"{side}_toe" in self.roles:
                tips[self.names.index(self.roles[f"{side}_toe"])] = np.array([0.0, 0.0, 0.06])
        ends = {j: tip * scale for j, tip in tips.items() if j not in self.parents}
        names = tuple(rename(name) for name in self.names)
        return Skeleton(names, tuple(self.parents), np.array(offsets) * scale, ends)

    def walking(self, frames: int = 90, fps: float = 30.0, scale: float = 1.0, rename=lambda name: name) -> Clip:
        """Return a clip in which the person strides along +Z, one step a second, with elbows and knees bending."""
        skeleton = self.skeleton(scale, rename)
        t = np.arange(frames) / fps
        rotations = quaternion.identity(frames, len(skeleton))
        for (side, sign), phase in zip(SIDES, (0.0, np.pi), strict=True):
            swing, lift = np.sin(np.pi * t + phase), 0.5 - 0.5 * np.cos(np.pi * t + phase)
            self._turn(rotations, f"{side}_thigh", -0.5 * swing, (1, 0, 0))
            self._turn(rotations, f"{side}_shin", 0.2 + 0.6 * lift, (1, 0, 0))
            self._turn(rotations, f"{side}_forearm", -sign * (0.3 + 0.3 * lift), (0, 1, 0))
            self._turn(rotations, f"{side}_upper_arm", -sign * 1.2 + 0.2 * swing, (0, 0, 1))
            self._turn(rotations, f"{side}_hand", 0.3 * swing, (0, 1, 0))
        positions = np.tile(skeleton.offsets, (frames, 1, 1))
        positions[:, 0] += np.outer(t, [0.0, 0.0, 0.7 * scale])
        return Clip.from_arrays(skeleton, positions, rotations, fps)

    def _turn(self, rotations: np.ndarray, role: str, angles: np.ndarray, axis: tuple[int, int, int]) -> None:
        rotations[:, self.names.index(self.roles[role])] = quaternion.exp(np.outer(angles, axis).astype(float))


def _between(low: str, high: str, share: float) -> tuple[float, ...]:
    return tuple(np.array(PLACES[low]) * (1 - share) + np.array(PLACES[high]) * share)


_HIK_ARM = ["clavicle={Side}Shoulder", "upper_arm={Side}Arm", "forearm={Side}ForeArm", "hand={Side}Hand"]
_HIK_LEG = ["thigh={Side}UpLeg", "shin={Side}Leg", "foot={Side}Foot"]
_POINTS = (0.1, 0.0, 0.01)

PEOPLE = {
    "cmu": Person(
        "Hips",
        ["LowerBack", "Spine", "Spine1"],
        "Head",
        [*_HIK_ARM, "~{Side}FingerBase", "finger={Side}HandIndex1"],
        ["~{S}HipJoint", *_HIK_LEG, "toe={Side}ToeBase"],
        neck=["Neck", "Neck1"],
        extra=[("{S}Thumb", "{Side}Hand", (0.0, 0.0, 0.0))],
        family="CMU / MotionBuilder",
    ),
    "lafan1": Person(
        "Hips",
        ["Spine", "Spine1", "Spine2"],
        "Head",
        _HIK_ARM,
        [*_HIK_LEG, "toe={Side}Toe"],
        neck=["Neck"],
        family="LAFAN1",
    ),
    "nokov": Person(
        "Hips",
        ["Spine", "Spine1", "Spine2"],
        "Head",
        _HIK_ARM,
        [*_HIK_LEG, "toe={Side}ToeBase"],
        neck=["Neck"],
        family="MotionBuilder / Nokov",
    ),
    "mixamo": Person(
        "mixamorig:Hips",
        ["mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2"],
        "mixamorig:Head",
        [
            *(entry.replace("=", "=mixamorig:") for entry in _HIK_ARM),
            "finger=mixamorig:{Side}HandMiddle1",
            "mixamorig:{Side}HandMiddle2",
        ],
        [*(entry.replace("=", "=mixamorig:") for entry in _HIK_LEG), "toe=mixamorig:{Side}ToeBase"],
        neck=["mixamorig:Neck"],
        extra=[
            ("mixamorig:HeadTop_End", "mixamorig:Head", (0.0, 0.18, 0.0)),
            ("mixamorig:{Side}Eye", "mixamorig:Head", (0.03, 0.06, 0.08)),
            ("mixamorig:{Side}Toe_End", "mixamorig:{Side}ToeBase", (0.0, 0.0, 0.06)),
            ("mixamorig:{Side}HandThumb1", "mixamorig:{Side}Hand", (0.03, -0.02, 0.03)),
            ("mixamorig:{Side}HandIndex1", "mixamorig:{Side}Hand", (0.09, 0.0, 0.03)),
            ("mixamorig:{Side}HandIndex2", "mixamorig:{Side}HandIndex1", (0.04, 0.0, 0.0)),
            ("mixamorig:{Side}HandRing1", "mixamorig:{Side}Hand", (0.085, 0.0, -0.02)),
            ("mixamorig:{Side}HandPinky1", "mixamorig:{Side}Hand", (0.08, 0.0, -0.04)),
        ],
        family="Mixamo",
    ),
    "noitom": Person(
        "Hips",
        ["Spine", "Spine1", "Spine2", "Spine3"],
        "Head",
        [*_HIK_ARM, "+{Side}InHandMiddle", "finger={Side}HandMiddle1"],
        _HIK_LEG,
        neck=["Neck"],
        extra=[
            ("{Side}HandThumb1", "{Side}Hand", (0.03, -0.02, 0.03)),
            ("{Side}InHandIndex", "{Side}Hand", (0.03, 0.0, 0.02)),
            ("{Side}HandIndex1", "{Side}InHandIndex", (0.06, 0.0, 0.0)),
            ("{Side}InHandRing", "{Side}Hand", (0.03, 0.0, -0.02)),
            ("{Side}InHandPinky", "{Side}Hand", (0.03, 0.0, -0.03)),
        ],
        family="Noitom",
    ),
    "xsens": Person(
        "Hips",
        ["Chest", "Chest2", "Chest3", "Chest4"],
        "Head",
        ["clavicle={Side}Collar", "upper_arm={Side}Shoulder", "forearm={Side}Elbow", "hand={Side}Wrist"],
        ["thigh={Side}Hip", "shin={Side}Knee", "foot={Side}Ankle", "toe={Side}Toe"],
        neck=["Neck"],
        family="Xsens",
    ),
    "xsens mvn": Person(
        "Pelvis",
        ["L5", "L3", "T12", "T8"],
        "Head",
        [
            "clavicle={Side} Shoulder",
            "upper_arm={Side} Upper Arm",
            "forearm={Side} Forearm",
            "hand={Side} Hand",
        ],
        ["thigh={Side} Upper Leg", "shin={Side} Lower Leg", "foot={Side} Foot", "toe={Side} Toe"],
        neck=["Neck"],
        family="Xsens MVN",
    ),
    "unreal 5": Person(
        "pelvis",
        ["spine_01", "spine_02", "spine_03", "spine_04", "spine_05"],
        "head",
        [
            "clavicle=clavicle_{s}",
            "upper_arm=upperarm_{s}",
            "forearm=lowerarm_{s}",
            "hand=hand_{s}",
            "+middle_metacarpal_{s}",
            "finger=middle_01_{s}",
            "middle_02_{s}",
        ],
        ["thigh=thigh_{s}", "shin=calf_{s}", "foot=foot_{s}", "toe=ball_{s}"],
        neck=["neck_01", "neck_02"],
        above=["root"],
        extra=[
            ("upperarm_twist_01_{s}", "upperarm_{s}", (0.14, 0.0, 0.0)),
            ("lowerarm_twist_01_{s}", "lowerarm_{s}", (0.12, 0.0, 0.0)),
            ("thigh_twist_01_{s}", "thigh_{s}", (0.0, -0.2, 0.0)),
            ("calf_twist_01_{s}", "calf_{s}", (0.0, -0.2, 0.0)),
            ("index_01_{s}", "hand_{s}", (0.09, 0.0, 0.02)),
            ("ring_01_{s}", "hand_{s}", (0.09, 0.0, -0.02)),
            ("pinky_01_{s}", "hand_{s}", (0.08, 0.0, -0.03)),
            ("thumb_01_{s}", "hand_{s}", (0.03, 0.0, 0.03)),
            ("ik_foot_root", "root", (0.0, 0.0, 0.0)),
            ("ik_foot_{s}", "ik_foot_root", (0.09, 0.09, 0.0)),
            ("ik_hand_root", "root", (0.0, 0.0, 0.0)),
            ("ik_hand_gun", "ik_hand_root", (-0.72, 1.4, 0.0)),
            ("ik_hand_{s}", "ik_hand_gun", (0.0, 0.0, 0.0)),
        ],
        family="Unreal mannequin",
    ),
    "vrm": Person(
        "hips",
        ["spine", "chest", "upperChest"],
        "head",
        [
            "clavicle={side}Shoulder",
            "upper_arm={side}UpperArm",
            "forearm={side}LowerArm",
            "hand={side}Hand",
            "finger={side}MiddleProximal",
        ],
        ["thigh={side}UpperLeg", "shin={side}LowerLeg", "foot={side}Foot", "toe={side}Toes"],
        neck=["neck"],
        family="Unity / VRM humanoid",
    ),
    "vroid": Person(
        "J_Bip_C_Hips",
        ["J_Bip_C_Spine", "J_Bip_C_Chest", "J_Bip_C_UpperChest"],
        "J_Bip_C_Head",
        [
            "clavicle=J_Bip_{S}_Shoulder",
            "upper_arm=J_Bip_{S}_UpperArm",
            "forearm=J_Bip_{S}_LowerArm",
            "hand=J_Bip_{S}_Hand",
            "finger=J_Bip_{S}_Middle1",
        ],
        ["thigh=J_Bip_{S}_UpperLeg", "shin=J_Bip_{S}_LowerLeg", "foot=J_Bip_{S}_Foot", "toe=J_Bip_{S}_ToeBase"],
        neck=["J_Bip_C_Neck"],
        above=["Root"],
        extra=[
            ("J_Sec_{S}_Bust1", "J_Bip_C_UpperChest", (0.05, 0.0, 0.1)),
            ("J_Sec_Hair1_01", "J_Bip_C_Head", (0.0, 0.1, -0.1)),
            ("J_Adj_{S}_FaceEye", "J_Bip_C_Head", (0.03, 0.06, 0.08)),
        ],
        family="Unity / VRM humanoid",
    ),
    "smpl": Person(
        "pelvis",
        ["spine1", "spine2", "spine3"],
        "head",
        [
            "clavicle={side}_collar",
            "upper_arm={side}_shoulder",
            "forearm={side}_elbow",
            "hand={side}_wrist",
            "finger={side}_hand",
        ],
        ["thigh={side}_hip", "shin={side}_knee", "foot={side}_ankle", "toe={side}_foot"],
        neck=["neck"],
        family="SMPL",
    ),
    "smpl in unity": Person(
        "m_avg_Pelvis",
        ["m_avg_Spine1", "m_avg_Spine2", "m_avg_Spine3"],
        "m_avg_Head",
        [
            "clavicle=m_avg_{S}_Collar",
            "upper_arm=m_avg_{S}_Shoulder",
            "forearm=m_avg_{S}_Elbow",
            "hand=m_avg_{S}_Wrist",
            "finger=m_avg_{S}_Hand",
        ],
        ["thigh=m_avg_{S}_Hip", "shin=m_avg_{S}_Knee", "foot=m_avg_{S}_Ankle", "toe=m_avg_{S}_Foot"],
        neck=["m_avg_Neck"],
        above=["m_avg_root"],
        family="SMPL",
    ),
    "smpl-x": Person(
        "pelvis",
        ["spine1", "spine2", "spine3"],
        "head",
        [
            "clavicle={side}_collar",
            "upper_arm={side}_shoulder",
            "forearm={side}_elbow",
            "hand={side}_wrist",
            "finger={side}_middle1",
            "{side}_middle2",
            "{side}_middle3",
        ],
        ["thigh={side}_hip", "shin={side}_knee", "foot={side}_ankle", "toe={side}_foot"],
        neck=["neck"],
        extra=[
            ("jaw", "head", (0.0, 0.0, 0.04)),
            ("{side}_eye_smplhf", "head", (0.03, 0.06, 0.08)),
            ("{side}_index1", "{side}_wrist", (0.09, 0.0, 0.02)),
            ("{side}_index2", "{side}_index1", (0.03, 0.0, 0.0)),
            ("{side}_ring1", "{side}_wrist", (0.08, 0.0, -0.02)),
            ("{side}_ring2", "{side}_ring1", (0.03, 0.0, 0.0)),
            ("{side}_pinky1", "{side}_wrist", (0.07, 0.0, -0.04)),
            ("{side}_pinky2", "{side}_pinky1", (0.02, 0.0, 0.0)),
            ("{side}_thumb1", "{side}_wrist", (0.03, 0.0, 0.03)),
            ("{side}_thumb2", "{side}_thumb1", (0.03, 0.0, 0.0)),
        ],
        family="SMPL-X",
    ),
    "soma": Person(
        "Hips",
        ["Spine1", "Spine2", "Chest"],
        "Head",
        [*_HIK_ARM, "finger={Side}HandMiddleEnd"],
        ["thigh={Side}Leg", "shin={Side}Shin", "foot={Side}Foot", "toe={Side}ToeBase"],
        neck=["Neck1", "Neck2"],
        above=["Root"],
        extra=[
            ("Jaw", "Head", (0.0, 0.0, 0.04)),
            ("{Side}Eye", "Head", (0.03, 0.06, 0.08)),
            ("{Side}HandThumbEnd", "{Side}Hand", (0.06, 0.0, 0.05)),
        ],
        family="SOMA",
    ),
    "poser": Person(
        "hip",
        ["abdomen", "chest"],
        "head",
        ["clavicle={s}Collar", "upper_arm={s}Shldr", "forearm={s}ForeArm", "hand={s}Hand"],
        ["~{s}Buttock", "thigh={s}Thigh", "shin={s}Shin", "foot={s}Foot"],
        neck=["neck"],
        extra=[("figureHair", "head", (0.0, 0.1, 0.0))],
        family="Poser / Second Life",
    ),
    "second life bento": Person(
        "mPelvis",
        ["mTorso", "mChest"],
        "mHead",
        [
            "clavicle=mCollar{Side}",
            "upper_arm=mShoulder{Side}",
            "forearm=mElbow{Side}",
            "hand=mWrist{Side}",
            "finger=mHandMiddle1{Side}",
        ],
        ["thigh=mHip{Side}", "shin=mKnee{Side}", "foot=mAnkle{Side}", "toe=mFoot{Side}", "mToe{Side}"],
        neck=["mNeck"],
        family="Second Life Bento",
    ),
    "daz": Person(
        "hip",
        ["abdomenLower", "abdomenUpper", "chestLower", "chestUpper"],
        "head",
        [
            "clavicle={s}Collar",
            "upper_arm={s}ShldrBend",
            "+{s}ShldrTwist",
            "forearm={s}ForearmBend",
            "+{s}ForearmTwist",
            "hand={s}Hand",
        ],
        ["thigh={s}ThighBend", "+{s}ThighTwist", "shin={s}Shin", "foot={s}Foot", "+{s}Metatarsals", "toe={s}Toe"],
        neck=["neckLower", "neckUpper"],
        extra=[("{s}Pectoral", "chestLower", (0.05, 0.05, 0.1)), ("upperFaceRig", "head", (0.0, 0.06, 0.05))],
        family="Daz",
    ),
    "biped": Person(
        "Bip001 Pelvis",
        ["Bip001 Spine", "Bip001 Spine1", "Bip001 Spine2"],
        "Bip001 Head",
        [
            "clavicle=Bip001 {S} Clavicle",
            "upper_arm=Bip001 {S} UpperArm",
            "forearm=Bip001 {S} Forearm",
            "hand=Bip001 {S} Hand",
            "finger=Bip001 {S} Finger2",
        ],
        ["thigh=Bip001 {S} Thigh", "shin=Bip001 {S} Calf", "foot=Bip001 {S} Foot", "toe=Bip001 {S} Toe0"],
        neck=["Bip001 Neck"],
        above=["Bip001"],
        arms_on="Bip001 Neck",
        legs_on="Bip001 Spine",
        extra=[
            ("Bip001 {S} Finger0", "Bip001 {S} Hand", (0.03, 0.0, 0.03)),
            ("Bip001 {S} Finger1", "Bip001 {S} Hand", (0.09, 0.0, 0.02)),
            ("Bip001 HeadNub", "Bip001 Head", (0.0, 0.18, 0.0)),
        ],
        family="3ds Max Biped",
    ),
    "valve biped": Person(
        "ValveBiped.Bip01_Pelvis",
        ["ValveBiped.Bip01_Spine", "ValveBiped.Bip01_Spine1", "ValveBiped.Bip01_Spine4"],
        "ValveBiped.Bip01_Head1",
        [
            "clavicle=ValveBiped.Bip01_{S}_Clavicle",
            "upper_arm=ValveBiped.Bip01_{S}_UpperArm",
            "forearm=ValveBiped.Bip01_{S}_Forearm",
            "hand=ValveBiped.Bip01_{S}_Hand",
        ],
        [
            "thigh=ValveBiped.Bip01_{S}_Thigh",
            "shin=ValveBiped.Bip01_{S}_Calf",
            "foot=ValveBiped.Bip01_{S}_Foot",
            "toe=ValveBiped.Bip01_{S}_Toe0",
        ],
        neck=["ValveBiped.Bip01_Neck1"],
        family="3ds Max Biped",
    ),
    "character creator": Person(
        "CC_Base_Hip",
        ["CC_Base_Waist", "CC_Base_Spine01", "CC_Base_Spine02"],
        "CC_Base_Head",
        [
            "clavicle=CC_Base_{S}_Clavicle",
            "upper_arm=CC_Base_{S}_Upperarm",
            "forearm=CC_Base_{S}_Forearm",
            "hand=CC_Base_{S}_Hand",
            "finger=CC_Base_{S}_Mid1",
        ],
        [
            "thigh=CC_Base_{S}_Thigh",
            "shin=CC_Base_{S}_Calf",
            "foot=CC_Base_{S}_Foot",
            "toe=CC_Base_{S}_ToeBase",
        ],
        neck=["CC_Base_NeckTwist01", "CC_Base_NeckTwist02"],
        above=["CC_Base_BoneRoot"],
        extra=[("CC_Base_{S}_CalfTwist01", "CC_Base_{S}_Calf", (0.0, -0.2, 0.0))],
        family="Character Creator",
    ),
    "rokoko": Person(
        "Hips",
        ["Spine", "Spine2", "Spine3"],
        "Head",
        _HIK_ARM,
        ["thigh={Side}Thigh", "shin={Side}Shin", "foot={Side}Foot", "toe={Side}Toe"],
        neck=["Neck"],
        family="Rokoko",
    ),
    "rigify": Person(
        "DEF-spine",
        ["DEF-spine.001", "DEF-spine.002", "DEF-spine.003"],
        "DEF-spine.006",
        [
            "clavicle=DEF-shoulder.{S}",
            "upper_arm=DEF-upper_arm.{S}",
            "+DEF-upper_arm.{S}.001",
            "forearm=DEF-forearm.{S}",
            "+DEF-forearm.{S}.001",
            "hand=DEF-hand.{S}",
            "finger=DEF-f_middle.01.{S}",
            "DEF-f_middle.02.{S}",
        ],
        [
            "thigh=DEF-thigh.{S}",
            "+DEF-thigh.{S}.001",
            "shin=DEF-shin.{S}",
            "+DEF-shin.{S}.001",
            "foot=DEF-foot.{S}",
            "toe=DEF-toe.{S}",
        ],
        neck=["DEF-spine.004", "DEF-spine.005"],
        extra=[("DEF-pelvis.{S}", "DEF-spine", (0.1, 0.05, 0.0)), ("DEF-breast.{S}", "DEF-spine.003", (0.1, 0.0, 0.1))],
        family="Blender Rigify",
    ),
    "makehuman": Person(
        "root",
        ["spine05", "spine04", "spine03", "spine02", "spine01"],
        "head",
        [
            "clavicle=clavicle.{S}",
            "+shoulder01.{S}",
            "upper_arm=upperarm01.{S}",
            "+upperarm02.{S}",
            "forearm=lowerarm01.{S}",
            "+lowerarm02.{S}",
            "hand=wrist.{S}",
            "finger=finger3-1.{S}",
        ],
        [
            "~pelvis.{S}",
            "thigh=upperleg01.{S}",
            "+upperleg02.{S}",
            "shin=lowerleg01.{S}",
            "+lowerleg02.{S}",
            "foot=foot.{S}",
            "toe=toe1-1.{S}",
        ],
        neck=["neck01", "neck02", "neck03"],
        family="MakeHuman",
    ),
    "auto-rig pro": Person(
        "root.x",
        ["spine_01.x", "spine_02.x", "spine_03.x"],
        "head.x",
        [
            "clavicle=shoulder.{s}",
            "upper_arm=arm_stretch.{s}",
            "forearm=forearm_stretch.{s}",
            "hand=hand.{s}",
        ],
        ["thigh=thigh_stretch.{s}", "shin=leg_stretch.{s}", "foot=foot.{s}", "toe=toes_01.{s}"],
        neck=["neck.x"],
        extra=[("thigh_twist.{s}", "root.x", (0.09, -0.04, 0.0))],
        family="Auto-Rig Pro",
    ),
    "optitrack": Person(
        "Hip",
        ["Ab", "Chest"],
        "Head",
        ["clavicle={S}Shoulder", "upper_arm={S}UArm", "forearm={S}FArm", "hand={S}Hand"],
        ["thigh={S}Thigh", "shin={S}Shin", "foot={S}Foot", "toe={S}Toe"],
        neck=["Neck"],
        family="OptiTrack",
    ),
    "kinect": Person(
        "SpineBase",
        ["SpineMid", "SpineShoulder"],
        "Head",
        ["upper_arm=Shoulder{Side}", "forearm=Elbow{Side}", "hand=Wrist{Side}", "finger=Hand{Side}"],
        ["thigh=Hip{Side}", "shin=Knee{Side}", "foot=Ankle{Side}", "toe=Foot{Side}"],
        neck=["Neck"],
        family="Kinect",
    ),
    "acclaim": Person(
        "root",
        ["lowerback", "upperback", "thorax"],
        "head",
        ["clavicle={s}clavicle", "upper_arm={s}humerus", "forearm={s}radius", "hand={s}wrist", "finger={s}hand"],
        ["~{s}hipjoint", "thigh={s}femur", "shin={s}tibia", "foot={s}foot", "toe={s}toes"],
        neck=["lowerneck", "upperneck"],
        family="Acclaim",
    ),
    "capitals": Person(
        "HIPS",
        ["SPINE", "CHEST"],
        "HEAD",
        ["clavicle={Side}COLLAR", "upper_arm=UPPERARM_{S}", "forearm=LOWERARM_{S}", "hand=HAND_{S}"],
        ["thigh=UPPERLEG_{S}", "shin=LOWERLEG_{S}", "foot=FOOT_{S}", "toe=TOES_{S}"],
        neck=["NECK"],
        family="Unity / VRM humanoid",
    ),
    "no neck, no clavicles, no toes": Person(
        "Hips",
        ["Chest"],
        "Head",
        ["upper_arm={Side}Shoulder", "forearm={Side}Elbow", "hand={Side}Wrist"],
        ["thigh={Side}Hip", "shin={Side}Knee", "foot={Side}Ankle"],
    ),
    "neck but no head": Person(
        "Hips",
        ["Chest"],
        "Neck",
        ["upper_arm={Side}Shoulder", "forearm={Side}Elbow", "hand={Side}Wrist"],
        ["thigh={Side}Hip", "shin={Side}Knee", "foot={Side}Ankle"],
    ),
    "deepmotion": Person(
        "hips_JNT",
        ["spine_JNT", "spine1_JNT", "spine2_JNT"],
        "head_JNT",
        [
            "clavicle={s}_shoulder_JNT",
            "upper_arm={s}_arm_JNT",
            "forearm={s}_forearm_JNT",
            "hand={s}_hand_JNT",
            "finger={s}_handMiddle1_JNT",
        ],
        ["thigh={s}_upleg_JNT", "shin={s}_leg_JNT", "foot={s}_foot_JNT", "toe={s}_toebase_JNT"],
        neck=["neck_JNT"],
        family="MotionBuilder / Nokov",
    ),
    "bandai": Person(
        "Hips",
        ["Spine", "Chest"],
        "Head",
        ["clavicle=Shoulder_{S}", "upper_arm=UpperArm_{S}", "forearm=LowerArm_{S}", "hand=Hand_{S}"],
        ["thigh=UpperLeg_{S}", "shin=LowerLeg_{S}", "foot=Foot_{S}", "toe=Toes_{S}"],
        neck=["Neck"],
        above=["joint_Root"],
        family="Unity / VRM humanoid",
    ),
    "zeroeggs": Person(
        "Hips",
        ["Spine", "Spine1", "Spine2", "Spine3"],
        "Head",
        [*_HIK_ARM, "finger={Side}HandMiddle1"],
        [*_HIK_LEG, "toe={Side}ToeBase"],
        neck=["Neck", "Neck1"],
        extra=[
            ("HeadEnd", "Head", (0.0, 0.18, 0.0)),
            ("{Side}ForeArmEnd", "{Side}ForeArm", (0.25, 0.0, 0.0)),
            ("{Side}ArmEnd", "{Side}Arm", (0.29, 0.0, 0.0)),
            ("{Side}ToeBaseEnd", "{Side}ToeBase", (0.0, 0.0, 0.06)),
            ("{Side}LegEnd", "{Side}Leg", (0.0, -0.41, 0.0)),
            ("{Side}UpLegEnd", "{Side}UpLeg", (0.0, -0.42, 0.0)),
        ],
        family="MotionBuilder / Nokov",
    ),
    "ipi": Person(
        "Hip",
        ["LowerSpine", "MiddleSpine", "Chest"],
        "Head",
        [
            "clavicle={S}Clavicle",
            "upper_arm={S}Shoulder",
            "forearm={S}Forearm",
            "hand={S}Hand",
            "finger={S}Fingers",
        ],
        ["thigh={S}Thigh", "shin={S}Shin", "foot={S}Foot", "toe={S}Toe"],
        neck=["Neck"],
        family="OptiTrack",
    ),
    "kaykit": Person(
        "hips",
        ["spine", "chest"],
        "head",
        [
            "upper_arm=upperarm.{s}",
            "forearm=lowerarm.{s}",
            "hand=wrist.{s}",
            "finger=hand.{s}",
        ],
        ["thigh=upperleg.{s}", "shin=lowerleg.{s}", "foot=foot.{s}", "toe=toes.{s}"],
        above=["root"],
        extra=[
            ("kneeIK.{s}", "root", (0.1, 0.5, 0.4)),
            ("elbowIK.{s}", "root", (0.4, 1.2, -0.4)),
            ("heelIK.{s}", "root", (0.1, 0.0, -0.1)),
            ("handslot.{s}", "hand.{s}", (0.03, 0.0, 0.0)),
        ],
        family="Unity / VRM humanoid",
    ),
    "mikumikudance": Person(
        "センター",
        ["上半身", "上半身2"],
        "頭",
        ["clavicle={SIDE}肩", "upper_arm={SIDE}腕", "forearm={SIDE}ひじ", "hand={SIDE}手首", "finger={SIDE}中指1"],
        ["thigh={SIDE}足", "shin={SIDE}ひざ", "foot={SIDE}足首", "toe={SIDE}つま先"],
        neck=["首"],
        family="MikuMikuDance",
    ),
}
