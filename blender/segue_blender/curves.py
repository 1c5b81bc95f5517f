"""F-curves of slotted actions: reading, copying, and replacing frames without touching the others."""

from __future__ import annotations

import bpy
import numpy as np

_LINEAR = 1  # the number of BEZT_IPO_LIN, which foreach_set takes


def slot_of(owner, action):
    """Return the slot of an action that an object uses, or would use; None for an empty action."""
    data = owner.animation_data
    if data is not None and data.action == action and data.action_slot is not None:
        return data.action_slot
    suitable = [slot for slot in action.slots if slot.target_id_type in ("OBJECT", "UNSPECIFIED")]
    named = [slot for slot in suitable if slot.name_display == owner.name]
    return (named or suitable or [None])[0]


def bag_of(action, slot):
    """Return the channels of a slot, or None."""
    for layer in action.layers:
        for strip in layer.strips:
            found = strip.channelbag(slot) if slot is not None else None
            if found is not None:
                return found
    return None


def curves_of(action, slot):
    """Return (data path, index) -> F-curve."""
    bag = bag_of(action, slot)
    return {} if bag is None else {(curve.data_path, curve.array_index): curve for curve in bag.fcurves}


def new_action(name, owner):
    """Return a new action with a slot for an object, and its channels."""
    action = bpy.data.actions.new(name)
    slot = action.slots.new(id_type="OBJECT", name=owner.name)
    bag = action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
    return action, slot, bag


def assign(owner, action, slot):
    """Make an action the active one of an object."""
    data = owner.animation_data or owner.animation_data_create()
    data.action = action
    if slot is not None:
        data.action_slot = slot


def evaluated(curve, frames):
    """Return the values of an F-curve at frames."""
    return np.array([curve.evaluate(frame) for frame in frames])


def bone_path(bone, channel):
    """Return the data path of a channel of a pose bone."""
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"].{channel}'


def ensured(bag, path, index, group):
    """Return an F-curve, made if there is none."""
    found = bag.fcurves.find(path, index=index)
    return ensured_new(bag, path, index, group) if found is None else found


def ensured_new(bag, path, index, group):
    """Return a new F-curve in a group, which is made if there is none."""
    curve = bag.fcurves.new(path, index=index)
    known = bag.groups.get(group) or bag.groups.new(group)
    curve.group = known
    return curve


def write(curve, frames, values):
    """Set the keys of an F-curve that has none, one a frame, with lines between them."""
    count = len(frames)
    curve.keyframe_points.add(count)
    flat = np.empty(2 * count, np.float32)
    flat[0::2], flat[1::2] = frames, values
    curve.keyframe_points.foreach_set("co", flat)
    curve.keyframe_points.foreach_set("interpolation", np.full(count, _LINEAR, np.int32))
    curve.update()


def replace(curve, first, values):
    """Set the values of an F-curve at whole frames from `first` on; keys and values at all other frames stay.

    Between the last key before and the first key after, every frame gets a key, so that its value is what it was.
    """
    last = first + len(values) - 1
    keys = {point.co[0]: _key(point) for point in curve.keyframe_points}
    if not keys:
        write(curve, np.arange(first, last + 1), values)
        return
    # modifiers and keys between frames change with their neighbours: then every frame gets a key
    everywhere = len(curve.modifiers) > 0 or any(at != round(at) for at in keys)
    before = max((at for at in keys if at <= first), default=first - 1)
    after = min((at for at in keys if at >= last), default=last + 1)
    low, high = int(before), int(after)
    if everywhere:
        low = min(low, int(np.floor(min(keys))))
        high = max(high, int(np.ceil(max(keys))))
    frames = np.arange(low, high + 1)
    filled = evaluated(curve, frames)
    filled[first - low : last - low + 1] = values
    while everywhere and curve.modifiers:
        curve.modifiers.remove(curve.modifiers[0])
    curve.keyframe_points.clear()
    write(curve, frames, filled)
    if everywhere:
        return
    kept = {at: key for at, key in keys.items() if at < low or at > high}
    for at, key in kept.items():
        curve.keyframe_points.insert(at, key[0][1], options={"FAST"})
    for point in curve.keyframe_points:  # each insertion changes the handles of its neighbours
        if point.co[0] in kept:
            _put(point, kept[point.co[0]])
    for point in curve.keyframe_points:
        # the keys at both ends keep the handle that points outwards
        if point.co[0] == low and low in keys and low < first:
            point.handle_left_type = point.handle_right_type = "FREE"
            point.handle_left = keys[low][1]
        if point.co[0] == high and high in keys and high > last:
            point.handle_left_type = point.handle_right_type = "FREE"
            point.handle_right = keys[high][2]
            point.interpolation, point.easing = keys[high][3], keys[high][4]
            point.back, point.amplitude, point.period = keys[high][5:8]
    curve.update()


def _key(point):
    return (
        tuple(point.co),
        tuple(point.handle_left),
        tuple(point.handle_right),
        point.interpolation,
        point.easing,
        point.back,
        point.amplitude,
        point.period,
        point.type,
    )


def _put(point, key):
    """Give a key its handles; free ones, since automatic ones would follow their new neighbours."""
    _, left, right, interpolation, easing, back, amplitude, period, kind = key
    point.handle_left_type = point.handle_right_type = "FREE"
    point.handle_left, point.handle_right = left, right
    point.interpolation, point.easing, point.type = interpolation, easing, kind
    point.back, point.amplitude, point.period = back, amplitude, period
