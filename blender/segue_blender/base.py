"""The operators' common part: read the scene, call Segue without freezing the window, write the scene.

The scene is written only after the whole answer has come. So a call that fails, is cancelled, or loses its process
leaves the scene as it was.
"""

import bpy

from . import curves, results
from .child import CHILD, Cancelled, SegueFailed
from .rig import Rig, RigError


def armature_of(context):
    """Return the active armature object, or the armature of the active mesh; None if there is none."""
    owner = context.object
    if owner is not None and owner.type == "MESH":
        owner = owner.find_armature() or owner
    return owner if owner is not None and owner.type == "ARMATURE" else None


class Segue:
    """A mix-in for operators. `prepare` reads the scene, `finish` writes it."""

    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012  (Blender takes a set)

    @classmethod
    def poll(cls, context):
        """Return whether there is an armature."""
        if armature_of(context) is None:
            cls.poll_message_set("Select an armature, or a mesh that an armature deforms")
            return False
        return True

    def prepare(self, context):
        """Return the name, the arguments and the arrays of the call."""
        raise NotImplementedError

    def finish(self, context, value, arrays):
        """Write the answer into the scene."""
        raise NotImplementedError

    def execute(self, context):
        """Run the whole operator and wait for Segue: in scripts, without a window, and from the redo panel."""
        try:
            value, arrays = CHILD.call(*self.prepare(context)).wait()
            return self._written(context, value, arrays)
        except (SegueFailed, RigError) as error:
            self.report({"ERROR"}, str(error))
        except Cancelled:
            pass
        return {"CANCELLED"}

    def invoke(self, context, event):
        """Run the operator beside the window, with progress in the status bar."""
        if bpy.app.background or context.window is None:
            return self.execute(context)
        try:
            self._job = CHILD.call(*self.prepare(context))
        except (SegueFailed, RigError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._timer = context.window_manager.event_timer_add(0.02, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        """Look for the answer; Esc cancels the call."""
        if event.type == "ESC" and event.value == "PRESS":
            self._job.cancel()
        elif event.type != "TIMER":
            return {"PASS_THROUGH"}
        if not self._job.poll():
            share = f"{100 * self._job.share:.0f} %" if self._job.share else "working"
            context.workspace.status_text_set(f"Segue: {self.bl_label}, {share}    Esc: cancel")
            return {"RUNNING_MODAL"}
        context.window_manager.event_timer_remove(self._timer)
        context.workspace.status_text_set(None)
        try:
            return self._written(context, *self._job.result())
        except (SegueFailed, RigError) as error:
            self.report({"ERROR"}, str(error))
        except Cancelled:
            self.report({"INFO"}, "Cancelled: nothing was changed")
        return {"CANCELLED"}

    def _written(self, context, value, arrays):
        before = (
            {each.name for each in bpy.data.actions},
            {each.name for each in bpy.data.objects},
            {each.name for each in bpy.data.armatures},
        )
        try:
            self.finish(context, value, arrays)
        except Exception:
            results.remove_new(before)
            raise
        for sentence in [*value.get("warnings", []), *value.get("notes", [])][:3]:
            self.report({"WARNING" if sentence in value.get("warnings", []) else "INFO"}, sentence)
        return {"FINISHED"}


def source_of(context, need_action=True):
    """Return the rig, the active action with its slot, and the first and last frame."""
    owner = armature_of(context)
    rig = Rig(owner, context.scene)
    data = owner.animation_data
    action = None if data is None else data.action
    if action is None:
        if need_action:
            raise RigError(f"'{owner.name}' has no action: choose one in the action editor, or import a clip")
        return rig, None, None, (context.scene.frame_start, context.scene.frame_start)
    slot = curves.slot_of(owner, action)
    return rig, action, slot, frames_of(action)


def frames_of(action):
    """Return the first and last whole frame of an action."""
    low, high = action.curve_frame_range
    return round(low), round(high)


def frame_list(first, last):
    """Return whole frames as floats, both ends included."""
    import numpy as np

    return np.arange(first, last + 1, dtype=float)
