"""Pictures of figures in motion, drawn without a screen. There are exposures in one scene, rows of frames, curves,
footprints, time lines, operator trees, filled gaps, seams of cycles, motions among boxes, floor plans of dances, and
animations.

Every function returns a `Picture` or an `Animation`, which a notebook shows and `save` writes.
"""

from segue.view.animation import Animation, animate
from segue.view.box_scene import deepest_moment, steps
from segue.view.camera import Camera
from segue.view.charts import curves, footprints
from segue.view.comparison import arranged, compared, compared_curves, compared_paths
from segue.view.cycles import seam
from segue.view.distances import distance_map
from segue.view.effort import energies, torques
from segue.view.expressions import Operator, composition, operator_tree, timeline
from segue.view.floor_plans import floor_plan
from segue.view.library_fill import from_library
from segue.view.palette import COLOURS
from segue.view.picture import Picture
from segue.view.push import ground_push
from segue.view.strips import filled, filmstrip, strip
from segue.view.web import Page, page

__all__ = [
    "COLOURS",
    "Animation",
    "Camera",
    "Operator",
    "Page",
    "Picture",
    "animate",
    "arranged",
    "compared",
    "compared_curves",
    "compared_paths",
    "composition",
    "curves",
    "deepest_moment",
    "distance_map",
    "energies",
    "filled",
    "filmstrip",
    "floor_plan",
    "footprints",
    "from_library",
    "ground_push",
    "operator_tree",
    "page",
    "seam",
    "steps",
    "strip",
    "timeline",
    "torques",
]
