"""Segue: motion that a body with mass could really do.

import segue as sg

motion = sg.load("walk.bvh")
sg.save(motion, "walk.glb")
"""

from typing import TYPE_CHECKING

from segue import _loading  # noqa: F401  (first: it handles Ctrl-C while other modules load)
from segue._lazy import lazy_names

__version__ = "0.2.0"

# isort: off
if TYPE_CHECKING:
    from segue import clips as clips, dance as dance
    from segue.body.figure import Figure as Figure, Poses as Poses
    from segue.body.skeleton import Skeleton as Skeleton
    from segue.cycle import find_loops as find_loops, loop_of as loop_of, make_loop as make_loop, repeat as repeat
    from segue.errors import (
        ArgumentError as ArgumentError,
        FileFormatError as FileFormatError,
        SegueError as SegueError,
        SegueWarning as SegueWarning,
        SkeletonError as SkeletonError,
    )
    from segue.files import edit as edit, load as load, save as save, show as show
    from segue.filling import (
        Join as Join,
        cut_points as cut_points,
        fill as fill,
        fill_gaps as fill_gaps,
        transition as transition,
        transition_variants as transition_variants,
        transitions as transitions,
        variants as variants,
    )
    from segue.graph import Graph as Graph
    from segue.keyframe import (
        Key as Key,
        VectorKeyframes as VectorKeyframes,
        inbetween as inbetween,
        inbetween_report as inbetween_report,
        inbetween_rotations as inbetween_rotations,
        inbetween_vectors as inbetween_vectors,
        interpolate as interpolate,
    )
    from segue.library import Library as Library
    from segue.motion.clip import Clip as Clip
    from segue.motion.ground import Ground as Ground
    from segue.motion.interval import Interval as Interval, Track as Track
    from segue.motion.motion import Motion as Motion, conflicts as conflicts, gaps as gaps
    from segue.motion.operators import (
        blend as blend,
        concatenate as concatenate,
        delete as delete,
        insert as insert,
        mirror as mirror,
        move_to as move_to,
        only as only,
        override as override,
        retime as retime,
        reverse as reverse,
        trim as trim,
    )
    from segue.motion.options import ClipOptions as ClipOptions
    from segue.motion.targets import Flight as Flight, Footstep as Footstep, Reach as Reach
    from segue.motion.track_table import TrackSpan as TrackSpan
    from segue.plausibility import check as check
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "clips": "",
            "dance": "",
            "body.figure": "Figure Poses",
            "body.skeleton": "Skeleton",
            "cycle": "find_loops loop_of make_loop repeat",
            "errors": "ArgumentError FileFormatError SegueError SegueWarning SkeletonError",
            "files": "edit load save show",
            "filling": "Join cut_points fill fill_gaps transition transition_variants transitions variants",
            "graph": "Graph",
            "keyframe.figure_improvement": "inbetween inbetween_report interpolate",
            "keyframe.improvement": "inbetween_vectors",
            "keyframe.keyframes": "VectorKeyframes",
            "keyframe.keys": "Key",
            "keyframe.rotations": "inbetween_rotations",
            "library": "Library",
            "motion.clip": "Clip",
            "motion.ground": "Ground",
            "motion.interval": "Interval Track",
            "motion.motion": "Motion conflicts gaps",
            "motion.operators": "blend concatenate delete insert mirror move_to only override retime reverse trim",
            "motion.options": "ClipOptions",
            "motion.targets": "Flight Footstep Reach",
            "motion.track_table": "TrackSpan",
            "plausibility": "check",
        },
    )
