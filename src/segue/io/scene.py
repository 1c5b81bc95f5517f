"""Scenes of foreign formats: a parser in a process of its own, and a clip of the scene that it found."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from segue.checks import positive
from segue.errors import FileFormatError, SegueError, warn_user
from segue.filesystem import read_bytes
from segue.io.bvh.record import unique_names
from segue.io.files import choose_take
from segue.io.gltf.animation import DEFAULT_RATE, FrameGrid, find_frames
from segue.io.gltf.document import Item
from segue.io.gltf.nodes import Node, NodeMotion, Tree, connected, local_poses, spanned_subtrees
from segue.motion.clip import Clip, Origin
from segue.typing import Array

MOST_BYTES = 2**30
"""The size of the largest file that is handed to such a parser."""

_SECONDS = 300  # for one file
_MEMORY = 4 * 2**30  # bytes of address space, where the system can limit it


def parse_isolated(worker: str, path: str | Path, library: str, extra: str, **request: Any) -> dict[str, Any]:
    """Return the arrays that a worker makes of a file.

    worker: a script beside this module that calls `_worker.answer`. It gets the content of the file, never its place,
    so that it cannot follow references to other files. library, extra: what the worker imports, and the extra of Segue
    that installs it. request: options of the worker, JSON values.
    """
    data = read_bytes(path, MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise FileFormatError(f"is larger than {MOST_BYTES >> 20} MB, the most that can be read", path)
    script = Path(__file__).with_name(worker)
    head = json.dumps(request | {"memory": _MEMORY}).encode() + b"\n"
    # without -P the folder of the script would come first among the places to import from
    command = [sys.executable, "-P", str(script.resolve())]
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PXR_", "USD"))}
    try:
        with tempfile.TemporaryDirectory() as folder:  # for libraries that read files alone
            done = subprocess.run(
                command, input=head + data, capture_output=True, timeout=_SECONDS, env=environment, cwd=folder
            )
    except subprocess.TimeoutExpired:
        raise FileFormatError(f"is not read after {_SECONDS} s: it may be damaged", path) from None
    except OSError as error:
        raise SegueError(f"Python cannot be started to read {library} files: {error.strerror}") from error
    answer = _arrays(done.stdout) if done.returncode == 0 else {}
    if not answer:
        raise FileFormatError(f"ends the {library} library with a crash: it is damaged, export it again", path)
    if "missing" in answer:
        raise SegueError(f'{library} files need the {library} library: pip install "segue[{extra}]"')
    if "refused" in answer:
        raise FileFormatError(str(answer["refused"]), path)
    return answer


def _arrays(data: bytes) -> dict[str, Any]:
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return dict(arrays)
    except (OSError, ValueError, EOFError):
        return {}


def names_of(answer: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return the names under a key of an answer, which the worker packed with `_worker.packed`."""
    return tuple(bytes(answer[key]).decode("utf-8", "replace").split("\0")[:-1])


_MOST_AT_KEYS = 500_000  # poses of single nodes that a worker computes before the frames are known
_SAME_TIME = 1e-3  # of a frame: a key that is nearer is that frame
_MOST_POSES = 2_000_000  # poses of single nodes, or one for each byte of the file


@dataclass(frozen=True)
class SceneFormat:
    """How files of a format are parsed.

    name: as origins have it. worker: the script that parses. library, extra: what it imports, and the extra of Segue
    that installs it. animation: the format's word for an animation.
    """

    name: str
    worker: str
    library: str
    extra: str
    animation: str

    def parse(self, path: str | Path, take: int = 0, times: tuple[float, float, int] | None = None) -> dict[str, Any]:
        """Return nodes and animations of a file, and transforms at times (start, spacing, count) or at the keys."""
        return parse_isolated(self.worker, path, self.library, self.extra, take=take, times=times, most=_MOST_AT_KEYS)


def read_scene(path: str | Path, kind: SceneFormat, take: str | int | None, fps: float | None) -> Clip:
    """Return the skeleton and an animation of a file, in metres with Y up.

    The skeleton is the nodes that the worker marks as bones, or without bones the nodes that the animation moves. Nodes
    above the skeleton are folded into its roots. Offsets are the translations at rest. The rest rotations, (J, 4),
    stand in `origin.details["rest_rotations"]`. The frames are at the rate of the keys, or at `fps`.
    """
    if fps is not None:
        positive("fps", fps, "frames a second")
    scene = kind.parse(path)
    takes = names_of(scene, "takes")
    chosen = choose_take(takes, take, path, kind.animation)
    if chosen is not None and chosen > 0:
        scene = kind.parse(path, chosen)
    if "others" in scene and (others := names_of(scene, "others")):
        warn_user(f"{path}: has {len(others) + 1} skeletons, only the first is read, not {', '.join(others[:5])}")
    names, rest = names_of(scene, "names"), scene["rest"]
    nodes = _nodes(names, scene["parents"].tolist(), rest, path)
    tree = _skeleton(nodes, scene, path)
    offsets, rest_rotations = _poses(nodes, tree, rest[None])
    if chosen is None or not scene["keys"].size:
        trouble = f"the {kind.animation} moves no joint" if takes else f"has no {kind.animation}"
        warn_user(f"{path}: {trouble}, the clip is its rest pose")
        positions, rotations, rate = offsets, rest_rotations, fps or DEFAULT_RATE
    else:
        grid = find_frames([scene["keys"]], path, stated_fps=_stated(scene), fps=fps)
        _check_count(path, grid, len(nodes))
        if not _are_frames(scene, grid):
            scene = kind.parse(path, chosen, (grid.start, grid.spacing, grid.count))
        frames = scene["frames"]
        positions, rotations = _poses(nodes, tree, frames)
        rate = grid.fps
    joints = unique_names([names[number] or f"node_{number}" for number in tree.nodes])
    for values in (offsets, rest_rotations, positions, rotations):
        if not np.isfinite(values).all():
            frame, joint = np.argwhere(~np.isfinite(values).all(axis=2))[0]
            raise FileFormatError(f"the pose of joint '{joints[joint]}' is not finite in frame {frame}", path)
    origin = Origin(kind.name, str(path), details={"rest_rotations": rest_rotations[0]}, takes=takes, take=chosen)
    return Clip(joints, tree.parents, offsets[0], positions, rotations, rate, origin=origin)


def _are_frames(scene: dict[str, Any], grid: FrameGrid) -> bool:
    """Return whether the transforms at the keys are those of the frames, as in sampled motion."""
    keys = scene["keys"]
    if "frames" not in scene or len(keys) != grid.count:
        return False
    off = keys - (grid.start + grid.spacing * np.arange(grid.count))
    return bool(np.abs(off).max() < _SAME_TIME * grid.spacing)


def _check_count(path: str | Path, grid: FrameGrid, nodes: int) -> None:
    most = max(_MOST_POSES, Path(path).stat().st_size) // nodes
    if grid.count > most:
        raise FileFormatError(
            f"lasts {(grid.count - 1) * grid.spacing:g} s, which is {grid.count} frames of {nodes} nodes: "
            f"of this file {most} frames can be read",
            path,
        )


def _stated(scene: dict[str, Any]) -> float | None:
    fps = float(scene["fps"])
    return fps if 0.1 <= fps <= 10_000.0 else None


def _nodes(names: Sequence[str], parents: Sequence[int], rest: Array, path: str | Path) -> list[Node]:
    children: list[list[int]] = [[] for _ in names]
    for number, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(number)
    still = [_motion(rest[None], number) for number in range(len(names))]
    return [
        Node(
            Item(path, f"node {number}", {}),
            names[number],
            parents[number],
            tuple(children[number]),
            still[number].translation[0],
            still[number].rotation[0],
            still[number].scale[0],
        )
        for number in range(len(names))
    ]


@np.errstate(over="ignore", invalid="ignore")  # absurd numbers become infinite, which is refused at the end
def _poses(nodes: Sequence[Node], tree: Tree, frames: Array) -> tuple[Array, Array]:
    return local_poses(nodes, tree, lambda number: _motion(frames, number), len(frames))


def _motion(frames: Array, number: int) -> NodeMotion:
    """Return a node's part of transforms (T, N, 10) that have their quaternions as x y z w."""
    own = frames[:, number]
    return NodeMotion(own[:, :3], own[:, [6, 3, 4, 5]], own[:, 7:])


def _skeleton(nodes: Sequence[Node], scene: dict[str, Any], path: str | Path) -> Tree:
    bones = np.flatnonzero(scene["bones"]).tolist()
    if bones:
        groups: dict[int, list[int]] = {}
        for bone in bones:
            groups.setdefault(_top(nodes, bone), []).append(bone)
        kept = max(groups, key=lambda top: len(groups[top]))
        if len(groups) > 1:
            others = ", ".join(f"'{nodes[top].name}'" for top in groups if top != kept)
            warn_user(
                f"{path}: has {len(groups)} skeletons, the largest below '{nodes[kept].name}' is read, not {others}"
            )
        return connected(nodes, groups[kept])
    moved = scene["moved"].tolist() if "moved" in scene else []
    if not moved:
        raise FileFormatError("has no bone, and no animation that moves a node: there is no skeleton to read", path)
    return connected(nodes, spanned_subtrees(nodes, moved))


def _top(nodes: Sequence[Node], number: int) -> int:
    """Return the node above a node, or itself, that stands directly below the root of the scene."""
    while (above := nodes[number].parent) >= 0 and nodes[above].parent >= 0:
        number = above
    return number


_FBX = SceneFormat("fbx", "_fbx_worker.py", "FBX", "fbx", "take")


def read_fbx(path: str | Path, *, take: str | int | None = None, fps: float | None = None) -> Clip:
    """Return the skeleton and a take of an FBX file, in metres with Y up.

    The skeleton is the file's limb nodes and the nodes that a skin names, or else the nodes that the take moves. ufbx
    evaluates rotation orders, pre- and post-rotations, pivots, layers, units and axes.

    take: name or number, the first if not given. fps: frames a second to sample at; if not given, the rate of the keys.
    Without any take the clip is one frame, the rest pose.
    """
    return read_scene(path, _FBX, take, fps)
