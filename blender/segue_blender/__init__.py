"""Segue in Blender: transitions, loops, planted feet, checks and ballroom dance for any armature of a person.

The operators send skeletons and frames to Segue, which runs as a process of its own.
"""

import bpy

from . import motion_operators, other_operators, panels
from .child import CHILD, SegueFailed

_CLASSES = (*panels.CLASSES, *motion_operators.CLASSES, *other_operators.CLASSES)


def _warm():
    """Start Segue's process after the window has opened, so that the first operator does not wait."""
    try:
        CHILD.call("warm", {})
    except SegueFailed as error:
        print(f"Segue: {error}")


def register():
    """Add operators and panels."""
    for made in _CLASSES:
        bpy.utils.register_class(made)
    panels.add_properties()
    if not bpy.app.background:
        bpy.app.timers.register(_warm, first_interval=1.0)


def unregister():
    """Remove operators and panels, and end Segue's process."""
    if bpy.app.timers.is_registered(_warm):
        bpy.app.timers.unregister(_warm)
    CHILD.stop()
    panels.remove_properties()
    for made in reversed(_CLASSES):
        bpy.utils.unregister_class(made)
