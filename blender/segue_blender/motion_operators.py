"""Operators on actions: transition, fill frames, make loop, improve keyframes, plant feet."""

import bpy
import numpy as np
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from . import curves, results
from .base import Segue, armature_of, frame_list, frames_of, source_of
from .rig import Rig, RigError

TARGETS = [
    ("AUTO", "Automatic", "This armature; a copy without constraints if the armature has constraints"),
    ("SAME", "This Armature", "A new action for this armature"),
    ("COPY", "A Copy", "A copy of the armature without constraints"),
]


def other_actions(self, context):
    """Return actions for the list of second actions. Blender needs the strings to stay alive."""
    other_actions.items = [(each.name, each.name, "") for each in bpy.data.actions] or [("", "None", "")]
    return other_actions.items


def selected_strips(owner):
    """Return the two selected NLA strips of an object in order of time, or None."""
    data = owner.animation_data
    strips = [] if data is None else [each for track in data.nla_tracks for each in track.strips if each.select]
    strips = [each for each in strips if each.action is not None and each.type == "CLIP"]
    return sorted(strips, key=lambda each: each.frame_start) if len(strips) == 2 else None


class SEGUE_OT_transition(Segue, bpy.types.Operator):
    """Go from one action into another as a body with mass would"""

    bl_idname = "segue.transition"
    bl_label = "Transition"

    second: StringProperty(name="Into", description="The second action; not needed if two NLA strips are selected")
    seconds: FloatProperty(name="Seconds", description="Length; 0 finds it", default=0.6, min=0.0, max=10.0)
    search: BoolProperty(name="Find Cut Points", description="Search the end and the beginning", default=True)
    leave: IntProperty(name="Leave", description="Frame at which the first action is left", default=0)
    enter: IntProperty(name="Enter", description="Frame at which the second action is entered", default=0)
    mode: EnumProperty(
        name="Second Action",
        items=[
            ("free", "Moves", "The second action is moved to where the transition leads"),
            ("pinned", "Stays", "Both actions stay where they are"),
        ],
    )
    target: EnumProperty(name="Result On", items=TARGETS)

    def invoke(self, context, event):
        """Take the chosen second action of the panel."""
        if not self.second:
            self.second = context.scene.segue.second
        return super().invoke(context, event)

    def prepare(self, context):
        """Sample both actions."""
        owner = armature_of(context)
        self._strips = None if self.second else selected_strips(owner)
        rig = Rig(owner, context.scene)
        if self._strips is not None:
            first, second = (each.action for each in self._strips)
            slots = [each.action_slot or curves.slot_of(owner, each.action) for each in self._strips]
            ranges = [(round(each.action_frame_start), round(each.action_frame_end)) for each in self._strips]
            self._start = round(self._strips[0].frame_start)
        else:
            _, first, _, _ = source_of(context)
            second = bpy.data.actions.get(self.second)
            if second is None:
                raise RigError("choose the second action, or select two strips in the NLA editor")
            slots = [curves.slot_of(owner, each) for each in (first, second)]
            ranges = [frames_of(first), frames_of(second)]
            self._start = ranges[0][0]
        self._rig, self._actions, self._slots, self._ranges = rig, (first, second), slots, ranges
        clips, arrays = [], {}
        for number, (action, slot, (low, high)) in enumerate(zip(self._actions, slots, ranges)):
            shape, parts = rig.message(number, rig.sampled(action, slot, frame_list(low, high)))
            clips.append(shape)
            arrays |= parts
        asked = {"clips": clips, "duration": self.seconds * rig.fps, "mode": self.mode}
        if not self.search:
            asked |= {"leave": float(self.leave - ranges[0][0]), "enter": float(self.enter - ranges[1][0])}
        return "transition", asked, arrays

    def finish(self, context, value, arrays):
        """Write the new action, and a strip above two strips, which are muted."""
        rig = self._rig
        target = results.target_of(rig, self.target)
        sources = [
            (curves.curves_of(action, slot), low)
            for action, slot, (low, _) in zip(self._actions, self._slots, self._ranges)
        ]
        name = f"{self._actions[0].name} to {self._actions[1].name}"
        action, slot = results.baked(
            rig, target, name, self._start, rig.world_of(arrays), sources, arrays["kind"], arrays["frame"]
        )
        if self._strips is None or target is not rig.owner:
            results.use(target, action, slot)
        else:
            track = target.animation_data.nla_tracks.new()
            track.name = "Segue"
            strip = track.strips.new(action.name, self._start, action)
            strip.action_slot = slot
            strip.extrapolation = "HOLD"
            for each in self._strips:
                each.mute = True
        self.leave = value["leave"] + self._ranges[0][0]
        self.enter = value["enter"] + self._ranges[1][0]
        self.report({"INFO"}, f"{name}: {value['duration']} frames from frame {self.leave} of the first action")


class SEGUE_OT_fill(Segue, bpy.types.Operator):
    """Replace frames of the active action, of the selected bones or of all, by motion that a body could do"""

    bl_idname = "segue.fill"
    bl_label = "Fill Frames"

    start: IntProperty(name="Start", description="Last frame that stays; 0: of the preview range", default=0)
    stop: IntProperty(name="Stop", description="First frame that stays again; 0: of the preview range", default=0)
    selected: BoolProperty(name="Selected Bones Only", default=False)
    variant: IntProperty(name="Variant", description="0 is the most likely path", default=0, min=0, max=20)
    target: EnumProperty(name="Result On", items=TARGETS)

    def prepare(self, context):
        """Sample the action."""
        scene = context.scene
        if self.start == self.stop == 0:
            if not scene.use_preview_range:
                raise RigError("set a preview range (P in the timeline) around the frames to fill, or give both frames")
            self.start, self.stop = scene.frame_preview_start, scene.frame_preview_end
        self._rig, self._action, self._slot, (low, high) = source_of(context)
        self._low = low
        shape, arrays = self._rig.message(0, self._rig.sampled(self._action, self._slot, frame_list(low, high)))
        bones = selected_bones(self._rig) if self.selected else []
        if self.selected and not bones:
            raise RigError("no bone is selected: select some in pose mode, or fill all bones")
        asked = {"clips": [shape], "start": float(self.start - low), "stop": float(self.stop - low), "joints": bones}
        return "fill", asked | {"variant": self.variant}, arrays

    def finish(self, context, value, arrays):
        """Write the new action."""
        write_edited(self, value, arrays, "filled")


class SEGUE_OT_loop(Segue, bpy.types.Operator):
    """Make the active action, or the preview range of it, repeat without a seam"""

    bl_idname = "segue.loop"
    bl_label = "Make Loop"

    use_range: BoolProperty(name="Preview Range", description="Look for ends near those of the preview range")
    path: EnumProperty(
        name="Path",
        items=[
            ("AUTO", "Automatic", "Straight if the motion turns by less than 5 degrees"),
            ("STRAIGHT", "Straight", ""),
            ("TURNING", "Turning", "Each period turns; Segue writes several periods"),
        ],
    )
    periods: IntProperty(name="Periods", description="Of a loop that turns", default=4, min=1, max=100)
    target: EnumProperty(name="Result On", items=TARGETS)

    def prepare(self, context):
        """Sample the action."""
        self._rig, action, slot, (low, high) = source_of(context)
        self._name, self._low = action.name, low
        shape, arrays = self._rig.message(0, self._rig.sampled(action, slot, frame_list(low, high)))
        straight = {"AUTO": None, "STRAIGHT": True, "TURNING": False}[self.path]
        asked = {"clips": [shape], "straight": straight}
        scene = context.scene
        if self.use_range:
            if not scene.use_preview_range:
                raise RigError("set a preview range (P in the timeline) about the loop, or let Segue find it")
            asked |= {"start": float(scene.frame_preview_start - low), "stop": float(scene.frame_preview_end - low)}
        if self.path == "TURNING":
            asked["count"] = self.periods
        return "loop", asked, arrays

    def finish(self, context, value, arrays):
        """Write the cyclic action."""
        target = results.target_of(self._rig, self.target)
        turns = abs(value["turn"]) > 1e-6
        action, slot = results.looped(
            self._rig, target, f"{self._name} loop", self._low, arrays["times"], self._rig.world_of(arrays), turns
        )
        results.use(target, action, slot)


class SEGUE_OT_improve(Segue, bpy.types.Operator):
    """Find better frames between the selected keyframes, which stay exactly as they are"""

    bl_idname = "segue.improve_keyframes"
    bl_label = "Improve Keyframes"

    frames: StringProperty(name="Frames", description="Keyframes, such as 1, 12, 24; empty: the selected keyframes")
    selected: BoolProperty(name="Selected Bones Only", default=False)
    target: EnumProperty(name="Result On", items=TARGETS)

    def prepare(self, context):
        """Sample the action, and find the selected keyframes."""
        self._rig, self._action, self._slot, (low, high) = source_of(context)
        self._low = low
        self._bones = set(selected_bones(self._rig)) if self.selected else None
        if self.frames:
            try:
                frames = sorted({int(part) for part in self.frames.replace(",", " ").split()})
            except ValueError:
                raise RigError(f"the frames are '{self.frames}': whole numbers with commas are needed") from None
        else:
            frames = selected_frames(self._action, self._slot, self._bones)
        if len(frames) < 2:
            raise RigError("fewer than two keyframes are selected: select keyframes in the dope sheet, or name frames")
        self.frames = ", ".join(str(frame) for frame in frames)
        shape, arrays = self._rig.message(0, self._rig.sampled(self._action, self._slot, frame_list(low, high)))
        return "improve", {"clips": [shape], "frames": [float(frame - low) for frame in frames]}, arrays

    def finish(self, context, value, arrays):
        """Write the new action."""
        if self._bones is not None:
            value = {**value, "joints": [name for name in value["joints"] if name in self._bones]}
        write_edited(self, value, arrays, "improved")


class SEGUE_OT_plant(Segue, bpy.types.Operator):
    """Hold the feet where they stand, at the contacts of the list or where Segue finds them"""

    bl_idname = "segue.plant_feet"
    bl_label = "Plant Feet"

    use_list: BoolProperty(name="Contacts of the List", description="Hold the contacts of the list", default=True)
    ease: IntProperty(name="Ease", description="Frames in which corrections fade", default=6, min=1, max=100)
    target: EnumProperty(name="Result On", items=TARGETS)

    def prepare(self, context):
        """Sample the action."""
        self._rig, self._action, self._slot, (low, high) = source_of(context)
        self._low = low
        shape, arrays = self._rig.message(0, self._rig.sampled(self._action, self._slot, frame_list(low, high)))
        asked = {"clips": [shape], "ease": float(self.ease)}
        rows = context.scene.segue.contacts
        if self.use_list and len(rows):
            asked["contacts"] = [
                {"point": each.point, "start": float(each.start - low), "stop": float(each.stop - low)}
                for each in rows
                if each.use
            ]
        return "plant", asked, arrays

    def finish(self, context, value, arrays):
        """Write the new action, and the contacts into the list."""
        write_edited(self, value, arrays, "planted")
        rows = context.scene.segue.contacts
        if not len(rows):
            for each in value["contacts"]:
                row = rows.add()
                row.point, row.start, row.stop = each["point"], each["start"] + self._low, each["stop"] + self._low
        worst = max(value["after"], default=0.0)
        self.report({"INFO"}, f"{len(value['contacts'])} contacts are held within {1000 * worst:.1f} mm")


def selected_bones(rig):
    """Return the selected bones that are joints."""
    pose = rig.owner.pose.bones
    chosen = [
        bone.name
        for bone in rig.owner.data.bones
        if (pose[bone.name].select if hasattr(pose[bone.name], "select") else bone.select)
    ]
    return [name for name in chosen if name in rig.names]


def selected_frames(action, slot, bones):
    """Return the whole frames of selected keyframes, of some bones or of all."""
    wanted = None if bones is None else {f'pose.bones["{bpy.utils.escape_identifier(bone)}"]' for bone in bones}
    found = set()
    for (path, _), curve in curves.curves_of(action, slot).items():
        if wanted is None or path.rpartition(".")[0] in wanted:
            found |= {round(point.co[0]) for point in curve.keyframe_points if point.select_control_point}
    return sorted(found)


def write_edited(operator, value, arrays, word):
    """Write a copy of the operator's action with the computed frames, and make it the active one."""
    rig = operator._rig
    target = results.target_of(rig, operator.target)
    action, slot = results.edited(
        rig,
        target,
        operator._action,
        operator._slot,
        f"{operator._action.name} {word}",
        operator._low,
        rig.world_of(arrays),
        np.asarray(arrays["kind"]),
        value["joints"],
    )
    results.use(target, action, slot)


CLASSES = (SEGUE_OT_transition, SEGUE_OT_fill, SEGUE_OT_loop, SEGUE_OT_improve, SEGUE_OT_plant)
