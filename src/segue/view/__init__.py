"""Pictures of figures in motion, drawn without a screen. There are exposures in one scene, rows of frames, curves,
footprints, time lines, operator trees, filled gaps, seams of cycles, motions among boxes, floor plans of dances, and
animations.

Every function returns a `Picture` or an `Animation`, which a notebook shows and `save` writes.
"""

from typing import TYPE_CHECKING

from segue._lazy import lazy_names

# isort: off
if TYPE_CHECKING:
    from segue.view.animation import Animation as Animation, animate as animate
    from segue.view.box_scene import deepest_moment as deepest_moment, steps as steps
    from segue.view.camera import Camera as Camera
    from segue.view.charts import curves as curves, footprints as footprints
    from segue.view.comparison import (
        arranged as arranged,
        compared as compared,
        compared_curves as compared_curves,
        compared_paths as compared_paths,
    )
    from segue.view.distances import distance_map as distance_map, seam as seam
    from segue.view.effort import (
        compared_falls as compared_falls,
        energies as energies,
        ground_push as ground_push,
        torques as torques,
    )
    from segue.view.expressions import (
        Operator as Operator,
        composition as composition,
        operator_tree as operator_tree,
        timeline as timeline,
    )
    from segue.view.floor_plans import floor_plan as floor_plan
    from segue.view.library_fill import from_library as from_library
    from segue.view.picture import COLOURS as COLOURS, Picture as Picture
    from segue.view.strips import filled as filled, filmstrip as filmstrip, strip as strip
    from segue.view.web import Page as Page, page as page
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "animation": "Animation animate",
            "box_scene": "deepest_moment steps",
            "camera": "Camera",
            "charts": "curves footprints",
            "comparison": "arranged compared compared_curves compared_paths",
            "distances": "distance_map seam",
            "effort": "compared_falls energies ground_push torques",
            "expressions": "Operator composition operator_tree timeline",
            "floor_plans": "floor_plan",
            "library_fill": "from_library",
            "picture": "COLOURS Picture",
            "strips": "filled filmstrip strip",
            "web": "Page page",
        },
    )
