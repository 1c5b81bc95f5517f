"""The roles of a clip's joints: how they are recognised, and a map file beside the clip that says it better."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePosixPath

from segue import io
from segue.body.families import OPTIONAL_ROLES, ROLE_NAMES
from segue.body.roles import Roles, load_map
from segue.errors import SegueError
from segue.filesystem import atomic_write
from segue.language.workspace import Workspace
from segue.motion.clip import Clip
from segue.motion.recognise import recognise
from segue.serve.replies import SkeletonShape
from segue.serve.requests import MapJoints
from segue.serve.shapes import JointRole

_UNSURE = ("by shape", "")  # families whose roles the names of the joints do not confirm


def map_name(path: str) -> str:
    """Return the name of a clip's map file: "walk.bvh" has "walk.map.toml"."""
    clip = PurePosixPath(path.partition("#")[0])
    return str(clip.with_name(f"{clip.stem}.map.toml"))


def skeleton_of(workspace: Workspace, path: str) -> SkeletonShape:
    """Return the roles of a clip's joints, by its map file if there is one."""
    clip = io.read(workspace.to_read(path))
    file = workspace.folder / map_name(path)
    known = map_name(path) if file.is_file() else ""
    try:
        given = load_map(workspace.to_open(known)) if known else None
        roles = recognise(clip, given)
    except SegueError as error:
        return _shape(path, clip, None, {}, known, str(error))
    return _shape(path, clip, roles, given or {}, known, "")


def write_map(workspace: Workspace, request: MapJoints) -> SkeletonShape:
    """Write a clip's map file, if a person is recognised with it, and return the roles; else raise SkeletonError."""
    clip = io.read(workspace.to_read(request.path))
    given = {each.role: each.joints for each in request.roles}
    recognise(clip, given)
    target = workspace.to_write(map_name(request.path), (".toml",))
    with atomic_write(target) as beside:
        beside.write_text(_toml(given), encoding="utf-8")
    return skeleton_of(workspace, request.path)


def _toml(given: Mapping[str, tuple[str, ...]]) -> str:
    """Return a map file's text; strings of JSON are strings of TOML."""
    lines = []
    for role, joints in given.items():
        value = list(joints) if role in ("spine", "neck") else "".join(joints)
        lines.append(f"{role} = {json.dumps(value)}")
    return "\n".join([*lines, ""])


def _shape(
    path: str, clip: Clip, roles: Roles | None, given: Mapping[str, tuple[str, ...]], file: str, problem: str
) -> SkeletonShape:
    names, parents = clip.skeleton.names, clip.skeleton.parents
    role_of: dict[str, str] = {}
    if roles is not None:
        played = {"pelvis": (roles.pelvis,), "spine": roles.spine, "neck": roles.neck, "head": (roles.head,)}
        played |= {role: (joint,) for role, joint in roles.limbs().items()}
        role_of = {names[joint]: role for role, joints in played.items() for joint in joints}
    family = "" if roles is None else roles.family
    said = {name for joints in given.values() for name in joints}
    joints = tuple(
        JointRole(
            name,
            names[parents[k]] if parents[k] >= 0 else "",
            role_of.get(name, ""),
            name in said or family not in _UNSURE,
        )
        for k, name in enumerate(names)
    )
    # the chest is the last joint of the spine, which is asked for as a whole
    shown = tuple(role for role in ROLE_NAMES if role != "chest")
    needed = tuple(role for role in shown if role not in OPTIONAL_ROLES)
    return SkeletonShape(path, family, joints, shown, needed, file, problem)
