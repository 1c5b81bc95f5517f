"""Plant feet: hold the feet of a clip where they stand, with pelvis and legs in closed form.

Each contact holds the ankle or the toe joint at one place. Outside contacts the correction fades out, so that every
other detail of the clip stays. If a leg is too short for its foot, the pelvis sinks smoothly [KovarSchreiner2002].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from segue.body.roles import Side
from segue.body.skeleton import descends, path_down
from segue.checks import number
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource
from segue.motion.contacts import PLANTED, Contact, find_contacts, foot_points
from segue.motion.motion import Motion, check_motion
from segue.typing import Array, Flags

_EASE = 0.2  # s in which a correction fades
_STRAIGHT = 0.9995  # of a leg's length that it reaches without snapping
_APART = 1e-9
_PAUSE, _SAME_STEP = 0.15, 0.06  # s and m between contacts of one foot that slides on: they are one step


@dataclass(frozen=True)
class Planted:
    """A clip whose feet stay, and how far each contact's point strays from its place, in m, before and after.

    contacts: as held. before, after: largest distance over the contact. sunk: how far the pelvis sinks at most, in m.
    """

    clip: Clip
    contacts: tuple[Contact, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    sunk: float


def foot_contacts(motion: Motion) -> list[Contact]:
    """Return when ankles and toe joints of a motion's clip bear the body, and where, in m with Y up."""
    source = motion.clip_source
    points = foot_points(source.clip, source.roles, source.space)
    found: dict[str, list[Contact]] = {name: [] for name in points}
    for each in find_contacts(source.clip.times, points, source.space.stature, strictness=PLANTED):
        known = found[each.point]
        if known and each.start - known[-1].stop <= _PAUSE and _distance(each, known[-1]) <= _SAME_STEP:
            known[-1] = _joined(known[-1], each)
        else:
            known.append(each)
    return sorted((each for own in found.values() for each in own), key=lambda each: (each.start, each.point))


def _distance(first: Contact, second: Contact) -> float:
    return float(np.linalg.norm(first.position - second.position))


def _joined(first: Contact, second: Contact) -> Contact:
    """Return two contacts of one step as one, at the mean of their places."""
    share = first.duration / max(first.duration + second.duration, _APART)
    return Contact(first.point, first.start, second.stop, share * first.position + (1.0 - share) * second.position)


def plant_feet(motion: Motion, contacts: Sequence[Contact] | None = None, *, ease: float = _EASE) -> Planted:
    """Return the frames of a motion's clip with feet that stay at their contacts.

    contacts: of "left_ankle", "left_toe_joint", "right_ankle" or "right_toe_joint"; those that `foot_contacts` finds
    if None. ease: s in which the correction fades before and after a contact.
    """
    check_motion("plant_feet holds the feet of", motion)
    number("ease", ease, least=0.0, unit="seconds")
    source = motion.clip_source
    held = list(foot_contacts(motion) if contacts is None else contacts)
    known = foot_points(source.clip, source.roles, source.space)
    for each in held:
        if each.point not in known:
            raise ArgumentError(f"'{each.point}' cannot be planted: the clip has {', '.join(known)}")
    held = _on_soles(held, source)
    body = _Body(source)
    sides = {"left": source.roles.left, "right": source.roles.right}
    feet = {
        name: _foot_path(body, side, [each for each in held if each.point.startswith(name)], name, ease)
        for name, side in sides.items()
    }
    sunk = _lower(body, [(sides[name], path) for name, path in feet.items()], ease)
    for name, path in feet.items():
        _bend(body, sides[name], path)
    made = body.clip()
    points = foot_points(made, source.roles, source.space)
    return Planted(
        made,
        tuple(held),
        tuple(_strays(known[each.point], source.clip.times, each) for each in held),
        tuple(_strays(points[each.point], source.clip.times, each) for each in held),
        sunk,
    )


def _on_soles(contacts: Sequence[Contact], source: ClipSource) -> list[Contact]:
    """Return contacts whose ankle is as far from a toe joint that is held at the same time as the foot is long."""
    made = []
    for each in contacts:
        side = source.roles.left if each.point.startswith("left") else source.roles.right
        balls = [
            other
            for other in contacts
            if other.point == each.point.replace("ankle", "toe_joint")
            and other is not each
            and min(each.stop, other.stop) > max(each.start, other.start)
        ]
        if each.point.endswith("ankle") and balls and side.toe is not None:
            ball = max(balls, key=lambda other: min(each.stop, other.stop) - max(each.start, other.start))
            length = float(np.linalg.norm(source.skeleton.offsets[side.toe])) * source.space.scale
            away = each.position - ball.position
            place = ball.position + length * away / max(float(np.linalg.norm(away)), _APART)
            each = Contact(each.point, each.start, each.stop, place)
        made.append(each)
    return made


def _strays(path: Array, times: Array, contact: Contact) -> float:
    during = _during(times, contact)
    return float(np.linalg.norm(path[during] - contact.position, axis=1).max()) if during.any() else 0.0


def _during(times: Array, contact: Contact) -> Flags:
    flags: Flags = (times >= contact.start - _APART) & (times <= contact.stop + _APART)
    return flags


class _Body:
    """World positions (T, J, 3) in m and rotations (T, J, 4) with Y up of a clip's joints, changed in place."""

    def __init__(self, source: ClipSource) -> None:
        self.source = source
        positions, rotations = source.clip.world
        self.positions = source.space.to_metres(positions)
        self.rotations = source.space.turn(rotations)
        self.dropped = np.zeros(len(positions))
        self.turned: dict[int, Array] = {}

    def clip(self) -> Clip:
        """Return the clip with the changed rotations, and with roots that sank."""
        source, skeleton = self.source, self.source.skeleton
        positions, rotations = source.clip.positions.copy(), source.clip.rotations.copy()
        sunk = np.zeros((len(positions), 3))
        sunk[:, 1] = -self.dropped
        for joint, parent in enumerate(skeleton.parents):
            if parent < 0:
                positions[:, joint] += source.space.from_metres(sunk)
            turn, above = self.turned.get(joint), self.turned.get(parent)
            if turn is above:
                continue
            moved = _moved(turn, len(rotations)) | _moved(above, len(rotations))
            own = quaternion.multiply(quaternion.conjugate(self._world(parent)), self._world(joint))
            rotations[moved, joint] = quaternion.normalise(own)[moved]
        return Clip.from_arrays(skeleton, positions, rotations, source.clip.fps)

    def _world(self, joint: int) -> Array:
        turn = self.turned.get(joint)
        return self.rotations[:, joint] if turn is None else quaternion.multiply(turn, self.rotations[:, joint])


@dataclass(frozen=True, eq=False)
class _FootPath:
    """The wanted ankle (T, 3) in m and the turn (T, 4) of the foot about it, in the world."""

    ankle: Array
    turn: Array


def _moved(turn: Array | None, count: int) -> Flags:
    """Return (T,) in which frames a turn is one."""
    moved: Flags = np.zeros(count, dtype=bool) if turn is None else (turn != quaternion.identity()).any(axis=1)
    return moved


def _foot_path(body: _Body, side: Side, contacts: Sequence[Contact], name: str, ease: float) -> _FootPath:
    """Return where a foot goes: its contacts' places while they last, and back to its own path between them."""
    times = body.source.clip.times
    ankle = body.positions[:, side.foot]
    shift, turn = np.zeros_like(ankle), np.zeros_like(ankle)
    heel, ball = np.zeros(len(times), dtype=bool), np.zeros(len(times), dtype=bool)
    places = np.zeros((2, len(times), 3))
    for each in contacts:
        during = _during(times, each)
        on_ball = each.point == f"{name}_toe_joint"
        (ball if on_ball else heel)[during] = True
        places[int(on_ball), during] = each.position
    shift[heel] = places[0, heel] - ankle[heel]
    if side.toe is not None and ball.any():
        toe = body.positions[:, side.toe]
        shift[ball] = places[1, ball] - toe[ball]
        flat = heel & ball
        if flat.any():
            # the sole rests on two points: the foot turns onto the line between them, and the toe joint stays
            sole = toe[flat] - ankle[flat]
            line = places[1, flat] - places[0, flat]
            wanted = quaternion.directions(line)
            length = np.linalg.norm(sole, axis=1, keepdims=True)
            turn[flat] = quaternion.log(_onto(sole / length, wanted))
            shift[flat] = places[1, flat] - length * wanted - ankle[flat]
        # a foot that rolls turns freely again before and after it is flat, about the joint that stays
        turn = _faded(turn, flat if flat.any() else np.zeros_like(flat), times, ease)
        rolling = ball & ~flat
        swung = quaternion.rotate(quaternion.exp(turn), toe - ankle)
        shift[rolling] = (places[1] - swung - ankle)[rolling]
    shift = _faded(shift, heel | ball, times, ease)
    return _FootPath(ankle + shift, quaternion.exp(turn))


def _faded(values: Array, known: Flags, times: Array, ease: float) -> Array:
    """Return corrections (T, 3) that are known in some frames, and fade to zero with their slope elsewhere."""
    made = np.where(known[:, None], values, 0.0)
    if not known.any() or known.all():
        return made
    step = times[1] - times[0]
    reach = max(round(float(ease / step)), 1)
    frames = np.flatnonzero(known)
    for last, first in zip([None, *frames], [*frames, None], strict=True):
        before, after = last, first
        if before is not None and after is not None:
            if after - before < 2:
                continue
            if after - before <= 2 * reach:
                made[before + 1 : after] = _hermite(made, known, before, after, after - before)[1:-1]
                continue
        if before is not None:
            stop = min(before + reach, len(made) - 1)
            made[before + 1 : stop + 1] = _hermite(made, known, before, None, reach)[1 : stop - before + 1]
        if after is not None:
            start = max(after - reach, 0)
            made[start:after] = _hermite(made, known, None, after, reach)[reach - (after - start) : reach]
    return made


def _hermite(values: Array, known: Flags, before: int | None, after: int | None, count: int) -> Array:
    """Return the cubic over `count` frames from the values at a frame to those at another; None: zero, at rest."""

    def end(frame: int | None, inwards: int) -> tuple[Array, Array]:
        if frame is None:
            return np.zeros(3), np.zeros(3)
        other = frame + inwards
        steep = 0 <= other < len(values) and known[other]
        slope = inwards * (values[other] - values[frame]) if steep else np.zeros(3)
        return values[frame], slope

    (first, leaving), (last, arriving) = end(before, -1), end(after, 1)
    s = (np.arange(count + 1) / count)[:, None]
    blend: Array = (
        (1 + 2 * s) * (1 - s) ** 2 * first
        + s * (1 - s) ** 2 * count * leaving
        + s**2 * (3 - 2 * s) * last
        - s**2 * (1 - s) * count * arriving
    )
    return blend


def _lower(body: _Body, legs: Sequence[tuple[Side, _FootPath]], ease: float) -> float:
    """Lower the whole body so that both legs reach their feet; return by how much at most, in m."""
    needed = np.zeros(len(body.positions))
    for side, path in legs:
        hip, knee, ankle = (body.positions[:, j] for j in (side.thigh, side.shin, side.foot))
        reach = _reach(hip, knee, ankle)
        away = hip - path.ankle
        flat = np.hypot(away[:, 0], away[:, 2])
        highest = path.ankle[:, 1] + np.sqrt(np.maximum(reach**2 - flat**2, 0.0))
        needed = np.maximum(needed, hip[:, 1] - highest)
    moved = np.any([np.linalg.norm(path.ankle - body.positions[:, s.foot], axis=1) > 1e-6 for s, path in legs], axis=0)
    needed = np.where(moved, needed, 0.0)
    if needed.max() <= 0.0:
        return 0.0
    width = max(round(ease * body.source.clip.fps), 1)
    padded = np.pad(needed, 2 * width, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * width + 1)
    # the largest need nearby, then its mean over as many frames: never less than the need itself
    body.dropped = np.convolve(windows.max(axis=1), np.full(2 * width + 1, 1.0 / (2 * width + 1)), "valid")
    body.positions[:, :, 1] -= body.dropped[:, None]
    return float(body.dropped.max())


def _reach(hip: Array, knee: Array, ankle: Array) -> Array:
    """Return (T,) how far the ankle may be from the hip, in m: nearly the leg's length, or as far as it was."""
    whole = np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1)
    reach: Array = np.maximum(_STRAIGHT * whole, np.linalg.norm(ankle - hip, axis=1))
    return reach


def _bend(body: _Body, side: Side, path: _FootPath) -> None:
    """Turn thigh, shin and foot so that the ankle follows a path; the knee keeps its plane."""
    hip, knee, ankle = (body.positions[:, j] for j in (side.thigh, side.shin, side.foot))
    upper, lower = np.linalg.norm(knee - hip, axis=1), np.linalg.norm(ankle - knee, axis=1)
    way = path.ankle - hip
    distance = np.clip(np.linalg.norm(way, axis=1), np.abs(upper - lower) + 1e-6, upper + lower)
    along = quaternion.directions(way)
    whole = _onto(quaternion.directions(ankle - hip), along)
    thigh, shin = quaternion.rotate(whole, knee - hip), quaternion.rotate(whole, ankle - knee)
    aside = thigh - (thigh * along).sum(axis=1, keepdims=True) * along
    forward = _forward(body, side)
    forward = forward - (forward * along).sum(axis=1, keepdims=True) * along
    aside = quaternion.directions(aside + 1e-4 * upper[:, None] * quaternion.directions(forward))
    cosine = np.clip((upper**2 + distance**2 - lower**2) / (2.0 * upper * distance), -1.0, 1.0)
    bent = upper[:, None] * (cosine[:, None] * along + np.sqrt(1.0 - cosine**2)[:, None] * aside)
    rest = distance[:, None] * along - bent
    still = np.linalg.norm(path.ankle - ankle, axis=1) < 1e-9
    turns = []
    for old, new in ((thigh, bent), (shin, rest)):
        onto = quaternion.multiply(_onto(quaternion.directions(old), quaternion.directions(new)), whole)
        turns.append(np.where(still[:, None], quaternion.identity(), onto))
    skeleton = body.source.skeleton
    for near, far, turn in ((side.thigh, side.shin, turns[0]), (side.shin, side.foot, turns[1])):
        for joint in path_down(skeleton, near, far)[:-1]:
            body.turned[joint] = turn
            # what hangs on the limb beside its chain, such as a twist bone, goes with it: its own rotation stays
            for child in range(joint + 1, len(skeleton)):
                if descends(skeleton, child, joint) and not descends(skeleton, child, far):
                    body.turned.setdefault(child, turn)
    for joint in range(side.foot, len(skeleton)):
        if descends(skeleton, joint, side.foot):
            body.turned[joint] = path.turn


def _forward(body: _Body, side: Side) -> Array:
    """Return the way the knee bends when the leg is straight: that of the foot, or of the thigh's own bend."""
    if side.toe is None:
        return np.cross(body.positions[:, side.shin] - body.positions[:, side.thigh], [1.0, 0.0, 0.0])
    return body.positions[:, side.toe] - body.positions[:, side.foot]


def _onto(start: Array, stop: Array) -> Array:
    """Return the least rotations (T, 4) that take unit vectors (T, 3) to others, less than half a turn away."""
    cosines = (start * stop).sum(axis=1, keepdims=True)
    return quaternion.normalise(np.concatenate([np.maximum(1.0 + cosines, 1e-9), np.cross(start, stop)], axis=1))
