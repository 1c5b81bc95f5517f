"""How a clip's numbers become metres with Y up when they are written to a scene format (glTF, USD)."""

from __future__ import annotations

from segue.curves.quaternion import Array
from segue.errors import SkeletonError
from segue.motion.clip import Clip
from segue.motion.space import find_space, turn_to_y_up
from segue.motion.take import RoleMap, recognise

__all__ = ["scene_space"]


def scene_space(clip: Clip, scale: float | None, up: str | None, map: RoleMap | None) -> tuple[float, Array]:
    """Return metres per unit and the rotation to Y up: as given, as the source's format fixes it, or as found.

    What is no person can be written too, if the scale is given.
    """
    if clip.origin is not None and clip.origin.format == "glb":
        scale, up = 1.0 if scale is None else scale, up or "Y"
    if scale is not None and up is not None:
        return scale, turn_to_y_up(up)
    try:
        roles = recognise(clip, map)
    except SkeletonError as error:
        if scale is None:
            raise SkeletonError(f"{error}; or give the size of a unit (--scale METRES_PER_UNIT)") from None
        return scale, turn_to_y_up(up or "Y")
    space = find_space(clip, roles, scale=scale, up=up)
    return space.scale, space.rotation
