"""Preview a couple: both parts planned together, feet that go round the partner's, arms in hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from segue.body.figure import Figure
from segue.body.skeleton import Skeleton
from segue.dance.course.couple import CoupleCourse
from segue.dance.course.hold import Holding, hold_of_dance
from segue.dance.notation.model import Part, Pattern
from segue.dance.patterns import DanceLibrary
from segue.dance.patterns.program import Dances, patterns_of, repeated
from segue.dance.performance.solo import FPS, continuous, frame_times
from segue.dance.planning.couple import Couple, Hold, plan_couple
from segue.dance.planning.feet import FootShape
from segue.dance.planning.model import Tempo, read_tempo
from segue.motion.clip import Clip
from segue.motion.motion import Motion
from segue.typing import Array

TWO_HANDS_APART = 0.42
"""Distance from ankles to ankles in a two-hand hold, as a share of the mean stature."""
_CLOSED_ROOM = 0.205  # m between the toes in closed hold, so that knees have room to bend and to pass


@dataclass(frozen=True, eq=False)
class CouplePreview:
    """Motions of both partners on one floor, their plans, and their hold."""

    leader: Motion
    follower: Motion
    plan: Couple
    holding: Holding

    @property
    def motions(self) -> dict[str, Motion]:
        """Both motions by part."""
        return {"leader": self.leader, "follower": self.follower}


def hold_distance(leader: Figure, follower: Figure, holding: Holding) -> Hold:
    """Return the distance between the partners' feet in a hold.

    In closed hold each foot has the partner's foot in its own track, so that a forward step never meets the foot that
    the partner stands on.
    """
    if holding is Holding.TWO_HANDS:
        return Hold(TWO_HANDS_APART * 0.5 * (leader.stature + follower.stature), 0.0)
    return Hold(FootShape.of(leader).tip + FootShape.of(follower).tip + _CLOSED_ROOM, 0.0)


def preview_couple(
    dances: Dances | Couple,
    follows: Sequence[Pattern] | None = None,
    *,
    leader: Figure | None = None,
    follower: Figure | None = None,
    tempo: Tempo | str | float | None = None,
    repeat: int = 1,
    bars: int | None = None,
    holding: Holding | None = None,
    library: DanceLibrary | None = None,
    gestures: str | Path | None = None,
    fps: float = FPS,
) -> CouplePreview:
    """Return patterns, or a couple's plan, danced by two figures without dynamics, in hold where their arms reach.

    follows: the follower's part of the patterns; looked up or derived from the leader's if not given. leader,
    follower: figures of 1.75 m and 1.66 m if not given. holding: that of the first pattern's dance if not given. The
    other options are those of `plan`; a plan has all of them but holding and fps.
    """
    if isinstance(dances, Couple):
        made, chosen = dances, holding or hold_of_dance(dances.leader.steps[0].pattern.dance)
    else:
        listed = [dances] if isinstance(dances, str | Path | Pattern) else list(dances)
        led_by = repeated(patterns_of(listed, Part.LEADER, library), repeat, bars)
        followed_by = repeated(patterns_of(follows or listed, Part.FOLLOWER, library), repeat, bars)
        speed = None if tempo is None else read_tempo(tempo, led_by[0].beats_per_bar)
        led, followed = leader or Figure.standard(1.75), follower or Figure.standard(1.66)
        chosen = holding or hold_of_dance(led_by[0].dance)
        hold = hold_distance(led, followed, chosen)
        made = plan_couple(led_by, followed_by, led, followed, tempo=speed, hold=hold, gestures=gestures)
    times = max((frame_times(part, fps) for part in (made.leader, made.follower)), key=len)
    courses = CoupleCourse.of(made.leader, made.follower, chosen)
    motions = [
        Motion.from_poses(course.plan.figure, continuous(course.poses(times)), fps)
        for course in (courses.leader, courses.follower)
    ]
    return CouplePreview(motions[0], motions[1], made, chosen)


class CoupleMotions(Protocol):
    """The motions of a leader and a follower on one floor, previewed or simulated."""

    @property
    def motions(self) -> Mapping[str, Motion]:
        """Both motions by part."""
        ...


def couple_clip(couple: CoupleMotions, fps: float | None = None) -> Clip:
    """Return both partners as one clip of two skeletons, whose joints are called "leader_pelvis", "follower_pelvis"...

    fps: frames per second, that of the motions if not given.
    """
    clips = {part: motion.to_clip(fps) for part, motion in couple.motions.items()}
    names: list[str] = []
    parents: list[int] = []
    ends: dict[int, Array] = {}
    for part, clip in clips.items():
        first = len(names)
        names += [f"{part}_{name}" for name in clip.skeleton.names]
        parents += [parent + first if parent >= 0 else -1 for parent in clip.skeleton.parents]
        ends |= {joint + first: end for joint, end in clip.skeleton.ends.items()}
    whole = list(clips.values())
    offsets = np.concatenate([clip.skeleton.offsets for clip in whole])
    skeleton = Skeleton(tuple(names), tuple(parents), offsets, ends)
    positions, rotations = (
        np.concatenate([getattr(clip, values) for clip in whole], axis=1) for values in ("positions", "rotations")
    )
    return Clip.from_arrays(skeleton, positions, rotations, whole[0].fps)
