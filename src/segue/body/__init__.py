"""Bodies: the user's skeleton, and our own figure with joints, limits and mass."""

from segue.body.skeleton import Skeleton

__all__ = ["Skeleton"]
