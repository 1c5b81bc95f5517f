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
    from segue.view.box_scene import deepest_moment as deepest_moment, plot_steps as plot_steps
    from segue.view.camera import Camera as Camera
    from segue.view.charts import plot_curves as plot_curves, plot_footprints as plot_footprints
    from segue.view.comparison import (
        arrange as arrange,
        plot_comparison as plot_comparison,
        plot_compared_curves as plot_compared_curves,
        plot_compared_paths as plot_compared_paths,
    )
    from segue.view.distances import plot_distance_map as plot_distance_map, plot_seam as plot_seam
    from segue.view.effort import (
        plot_compared_falls as plot_compared_falls,
        plot_energies as plot_energies,
        plot_ground_push as plot_ground_push,
        plot_torques as plot_torques,
    )
    from segue.view.expressions import (
        Operator as Operator,
        plot_composition as plot_composition,
        plot_operator_tree as plot_operator_tree,
        plot_timeline as plot_timeline,
    )
    from segue.view.floor_plans import plot_floor_plan as plot_floor_plan
    from segue.view.library_fill import plot_library_fill as plot_library_fill
    from segue.view.picture import COLOURS as COLOURS, Picture as Picture
    from segue.view.strips import plot_fills as plot_fills, plot_filmstrip as plot_filmstrip, plot_strip as plot_strip
    from segue.view.web import Page as Page, page as page
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "animation": "Animation animate",
            "box_scene": "deepest_moment plot_steps",
            "camera": "Camera",
            "charts": "plot_curves plot_footprints",
            "comparison": "arrange plot_comparison plot_compared_curves plot_compared_paths",
            "distances": "plot_distance_map plot_seam",
            "effort": "plot_compared_falls plot_energies plot_ground_push plot_torques",
            "expressions": "Operator plot_composition plot_operator_tree plot_timeline",
            "floor_plans": "plot_floor_plan",
            "library_fill": "plot_library_fill",
            "picture": "COLOURS Picture",
            "strips": "plot_fills plot_filmstrip plot_strip",
            "web": "Page page",
        },
    )
