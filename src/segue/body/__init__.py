"""Bodies: the user's skeleton and what its joints are, and our own figure with joints, limits and mass."""

from segue.body.figure import Figure, Poses
from segue.body.roles import Roles, find_roles
from segue.body.skeleton import Skeleton

__all__ = ["Figure", "Poses", "Roles", "Skeleton", "find_roles"]
