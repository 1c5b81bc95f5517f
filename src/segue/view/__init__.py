"""Pictures of figures in motion, drawn without a screen: exposures in one scene, rows of frames, curves, footprints.

Every function returns a `Picture`, which a notebook shows and `save` writes.
"""

from segue.view.camera import Camera
from segue.view.charts import curves, footprints
from segue.view.palette import COLOURS
from segue.view.picture import Picture
from segue.view.strips import filmstrip, strip

__all__ = ["COLOURS", "Camera", "Picture", "curves", "filmstrip", "footprints", "strip"]
