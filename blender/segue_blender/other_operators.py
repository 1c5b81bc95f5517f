"""Operators beside the solver: check, dance, send to the studio and back, recognise bones, edit the lists."""

import glob
import os
import subprocess
import sys
import tempfile

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty

from . import mapping, results
from .base import Segue, armature_of, frame_list, source_of
from .child import CHILD, SegueFailed
from .motion_operators import TARGETS
from .rig import Rig, RigError

MARKER = "Segue: "
"""The beginning of the names of markers that a check makes."""


class SEGUE_OT_check(Segue, bpy.types.Operator):
    """Check whether a body with mass could move like this; mark the faults on the timeline"""

    bl_idname = "segue.check"
    bl_label = "Check"

    markers: BoolProperty(name="Markers", description="Set a marker at each finding", default=True)

    def prepare(self, context):
        """Sample the action."""
        rig, action, slot, (low, high) = source_of(context)
        self._low = low
        shape, arrays = rig.message(0, rig.sampled(action, slot, frame_list(low, high)))
        return "check", {"clips": [shape]}, arrays

    def finish(self, context, value, arrays):
        """Fill the list and set markers, in place of those of the last check."""
        scene = context.scene
        scene.segue.findings.clear()
        for marker in [each for each in scene.timeline_markers if each.name.startswith(MARKER)]:
            scene.timeline_markers.remove(marker)
        for each in value["findings"]:
            row = scene.segue.findings.add()
            row.sentence, row.severity = each["sentence"], each["severity"]
            row.frame = self._low + (each["frame"] or 0)
            row.placed = each["frame"] is not None
            if self.markers and row.placed:
                scene.timeline_markers.new(f"{MARKER}{each['measure']}", frame=row.frame)
        found = len(value["findings"])
        self.report({"INFO"}, f"{found} finding{'' if found == 1 else 's'}" if found else "Nothing found")


class SEGUE_OT_jump(bpy.types.Operator):
    """Go to the frame of a finding"""

    bl_idname = "segue.jump"
    bl_label = "Go to Finding"

    index: IntProperty()

    def execute(self, context):
        """Set the frame."""
        found = context.scene.segue.findings
        if not 0 <= self.index < len(found):
            return {"CANCELLED"}
        context.scene.segue.finding = self.index
        context.scene.frame_set(found[self.index].frame)
        return {"FINISHED"}


class SEGUE_OT_dance(Segue, bpy.types.Operator):
    """Dance a ballroom pattern with this armature, or with two selected armatures as a couple"""

    bl_idname = "segue.dance"
    bl_label = "Dance"

    pattern: StringProperty(name="Pattern", default="waltz/box step")
    part: EnumProperty(name="Part", items=[("leader", "Leader", ""), ("follower", "Follower", "")])
    tempo: StringProperty(name="Tempo", description="Bars a minute, or beats as 120bpm; empty: the pattern's own")
    repeat: IntProperty(name="Repeat", default=1, min=1, max=100)
    simulate: BoolProperty(name="Simulate", description="A body with mass, moved by joint torques", default=False)
    couple: BoolProperty(name="Couple", description="The other selected armature is the follower", default=False)
    target: EnumProperty(name="Result On", items=TARGETS)

    def prepare(self, context):
        """Sample the present pose of the dancers."""
        owners = [armature_of(context)]
        if self.couple:
            others = [each for each in context.selected_objects if each.type == "ARMATURE" and each != owners[0]]
            if len(others) != 1:
                raise RigError("a couple is two armatures: select the follower too, with the leader as active object")
            owners.append(others[0])
        self._rigs = [Rig(owner, context.scene) for owner in owners]
        clips, arrays = [], {}
        for number, rig in enumerate(self._rigs):
            shape, parts = rig.message(number)
            clips.append(shape)
            arrays |= parts
        asked = {"clips": clips, "pattern": self.pattern, "fps": self._rigs[0].fps, "tempo": self.tempo}
        asked |= {"repeat": self.repeat, "simulate": self.simulate}
        return "dance", asked if self.couple else asked | {"part": self.part}, arrays

    def finish(self, context, value, arrays):
        """Write an action for each dancer."""
        for number, rig in enumerate(self._rigs):
            target = results.target_of(rig, self.target)
            name = f"{self.pattern} {value['parts'][number]}"
            start = context.scene.frame_start
            action, slot = results.baked(rig, target, name, start, rig.world_of(arrays, number))
            results.use(target, action, slot)
        for part, time in value["falls"].items():
            self.report({"WARNING"}, f"the {part} falls after {time:.1f} s")


class SEGUE_OT_recognise(Segue, bpy.types.Operator):
    """Find which bone is the pelvis, the left thigh, ... by names and shape, and fill the list"""

    bl_idname = "segue.recognise"
    bl_label = "Recognise Bones"

    keep: BoolProperty(name="Keep the List", description="Keep roles that the list has", default=False)

    def prepare(self, context):
        """Send the rest pose, or the action where there is one."""
        rig, action, slot, (low, high) = source_of(context, need_action=False)
        if not self.keep:
            rig.map_text = ""
        frames = None if action is None else rig.sampled(action, slot, frame_list(low, min(high, low + 300)))
        shape, arrays = rig.message(0, frames)
        return "recognise", {"clips": [shape]}, arrays

    def finish(self, context, value, arrays):
        """Save the map."""
        owner = armature_of(context)
        save_map(owner, mapping.text_of(value["roles"]))
        fill_rows(owner)
        self.report({"INFO"}, f"recognised {value['family']}, {value['stature']:.2f} m tall")


def save_map(owner, text):
    """Save a map in the armature, or in the object if the armature is linked."""
    holder = owner.data if owner.data.library is None else owner
    holder[mapping.KEY] = text


def fill_rows(owner):
    """Fill the list of roles from the saved map."""
    holder = owner.data if owner.data.library is None else owner
    rows = owner.segue_roles
    rows.clear()
    for role, bones in mapping.listed(str(holder.get(mapping.KEY, ""))).items():
        row = rows.add()
        row.name = role
        row["bones"] = bones


class SEGUE_OT_add_contact(bpy.types.Operator):
    """Add a contact at the present frame"""

    bl_idname = "segue.add_contact"
    bl_label = "Add Contact"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    def execute(self, context):
        """Add a row."""
        row = context.scene.segue.contacts.add()
        row.point, row.start, row.stop = "left_toe_joint", context.scene.frame_current, context.scene.frame_current + 10
        return {"FINISHED"}


class SEGUE_OT_find_contacts(Segue, bpy.types.Operator):
    """Fill the list with the contacts of the feet that Segue finds"""

    bl_idname = "segue.find_contacts"
    bl_label = "Find Contacts"

    def prepare(self, context):
        """Sample the action."""
        rig, action, slot, (low, high) = source_of(context)
        self._low = low
        shape, arrays = rig.message(0, rig.sampled(action, slot, frame_list(low, high)))
        return "recognise", {"clips": [shape]}, arrays

    def finish(self, context, value, arrays):
        """Fill the list."""
        rows = context.scene.segue.contacts
        rows.clear()
        for each in value["contacts"]:
            row = rows.add()
            row.point, row.start, row.stop = each["point"], each["start"] + self._low, each["stop"] + self._low
        value["notes"] = []


class SEGUE_OT_clear_contacts(bpy.types.Operator):
    """Empty the list of contacts, so that Segue finds them"""

    bl_idname = "segue.clear_contacts"
    bl_label = "Clear Contacts"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    def execute(self, context):
        """Empty the list."""
        context.scene.segue.contacts.clear()
        return {"FINISHED"}


class SEGUE_OT_send(Segue, bpy.types.Operator):
    """Write the action as a clip with a script beside it, and open Segue's studio on it"""

    bl_idname = "segue.send_to_studio"
    bl_label = "Send to Studio"

    folder: StringProperty(name="Folder", subtype="DIR_PATH", description="Empty: a temporary folder")
    browser: BoolProperty(name="Open the Studio", default=True)

    def prepare(self, context):
        """Sample the action."""
        rig, action, slot, (low, high) = source_of(context)
        folder = bpy.path.abspath(self.folder) if self.folder else tempfile.mkdtemp(prefix="segue-")
        os.makedirs(folder, exist_ok=True)
        stem = "".join(sign if sign.isalnum() else "_" for sign in action.name)
        self._path = os.path.join(folder, f"{stem}.npz")
        shape, arrays = rig.message(0, rig.sampled(action, slot, frame_list(low, high)))
        self._owner = rig.owner
        return "write", {"clips": [shape], "path": self._path}, arrays

    def finish(self, context, value, arrays):
        """Write the script and start the studio."""
        self._owner["segue_sent"] = self._path
        name = os.path.basename(self._path)
        script = os.path.splitext(self._path)[0] + ".segue"
        if not os.path.exists(script):
            with open(script, "w", encoding="utf-8") as file:
                file.write(f'motion = load("{name}", up="Z", scale=1)\nmotion\n')
        if self.browser and not bpy.app.background:
            python = CHILD.python or sys.executable
            path = os.pathsep.join(each for each in sys.path if each and os.path.isdir(each))
            subprocess.Popen([python, "-m", "segue", "studio", script], env=dict(os.environ, PYTHONPATH=path))
        self.report({"INFO"}, f"{script}: save the motion there as .npz, then take it back")


class SEGUE_OT_take(Segue, bpy.types.Operator):
    """Read the newest clip that the studio saved beside the one that was sent, as a new action"""

    bl_idname = "segue.take_from_studio"
    bl_label = "Take from Studio"

    path: StringProperty(name="File", subtype="FILE_PATH", description="Empty: the newest .npz beside the clip sent")
    target: EnumProperty(name="Result On", items=TARGETS)

    def prepare(self, context):
        """Find the file."""
        owner = armature_of(context)
        self._rig = Rig(owner, context.scene)
        sent = str(owner.get("segue_sent", ""))
        path = bpy.path.abspath(self.path) if self.path else ""
        if not path:
            beside = glob.glob(os.path.join(glob.escape(os.path.dirname(sent)), "*.npz")) if sent else []
            found = sorted((each for each in beside if each != sent), key=os.path.getmtime)
            if not found:
                raise RigError("the studio has saved no .npz beside the clip that was sent: save one, or name a file")
            path = found[-1]
        self._name = os.path.splitext(os.path.basename(path))[0]
        return "read", {"path": path, "names": list(self._rig.names), "fps": self._rig.fps}, {}

    def finish(self, context, value, arrays):
        """Write the new action."""
        target = results.target_of(self._rig, self.target)
        start = context.scene.frame_start
        action, slot = results.baked(self._rig, target, self._name, start, self._rig.world_of(arrays))
        results.use(target, action, slot)


class SEGUE_OT_restart(bpy.types.Operator):
    """End Segue's process; the next operator starts it again"""

    bl_idname = "segue.restart"
    bl_label = "Restart Segue"

    def execute(self, context):
        """End the process and start another."""
        CHILD.stop_jobs(SegueFailed("Segue was restarted: run the operator again"))
        CHILD.call("warm", {})
        return {"FINISHED"}


CLASSES = (
    SEGUE_OT_check,
    SEGUE_OT_jump,
    SEGUE_OT_dance,
    SEGUE_OT_recognise,
    SEGUE_OT_add_contact,
    SEGUE_OT_find_contacts,
    SEGUE_OT_clear_contacts,
    SEGUE_OT_send,
    SEGUE_OT_take,
    SEGUE_OT_restart,
)
