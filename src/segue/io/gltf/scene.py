"""A glTF file kept whole: only the channels that move its skeleton are replaced when it is written again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from segue.body.skeleton import Skeleton
from segue.io.gltf.accessors import AccessorReader, AccessorWriter
from segue.io.gltf.container import data_uri, embedded_image, pack_glb
from segue.io.gltf.document import Item
from segue.io.gltf.keys import JointKeys, write_animation
from segue.io.gltf.nodes import Node, Tree, node_poses
from segue.io.gltf.skin import read_skinned_mesh
from segue.motion.clip import Clip, take_name
from segue.motion.skinned_mesh import SkinnedMesh

_MOVED = ("translation", "rotation", "scale")
Fields = dict[str, Any]


@dataclass(frozen=True, eq=False)
class GltfScene:
    """The document and the buffers of a file, and which of its nodes are the skeleton.

    start: the time in s of the first frame that was read; frames are written from there on, so that the channels of
    other nodes stay in step.
    """

    document: Item
    arrays: AccessorReader
    nodes: Sequence[Node]
    tree: Tree
    skeleton: Skeleton
    start: float

    def skinned_mesh(self) -> SkinnedMesh | None:
        """Return the triangles that the skeleton carries, None if there are none or only the simple body of Segue."""
        return self._mesh

    @cached_property
    def _mesh(self) -> SkinnedMesh | None:
        return read_skinned_mesh(self.document, self.arrays, self.nodes, self.tree)

    def packed(self, takes: Mapping[str, Clip]) -> bytes:
        """Return the file as .glb with motions on its skeleton by name.

        A take replaces the animation of its name, or is added. Of the replaced animation, the channels of the skeleton
        and of the nodes above it go; the channels of all other nodes, and morph weights, stay. Everything else in the
        file stays as it is: the new keys take the place of those that go, or stand behind all else.
        """
        fields = dict(self.document.fields)
        old = self.document.items("animations")
        animations = [item.fields for item in old]
        places: dict[str, int] = {}
        for name, clip in takes.items():
            found = _place_of(name, clip, self, old)
            places[name] = len(animations) if found is None else found
            if found is None:
                animations.append({})
            else:
                animations[found] = self._without_joints(old[found])
            animations[places[name]] |= {"name": name}
        fields["animations"] = animations
        arrays = self._writer(Item(self.document.path, "", fields))
        for name, clip in takes.items():
            write_animation(animations[places[name]], arrays, self._joint_keys(clip), clip.fps, self.start)
        fields["nodes"] = self._without_matrices([animations[place] for place in places.values()])
        fields |= {"accessors": arrays.accessors, "bufferViews": arrays.views}
        fields["buffers"] = self._buffers(len(arrays.content))
        if "images" in fields:
            fields["images"] = [embedded_image(image) for image in self.document.items("images")]
        return pack_glb(fields, bytes(arrays.content))

    def _joint_keys(self, clip: Clip) -> list[JointKeys]:
        translations, rotations = node_poses(self.nodes, self.tree, clip.positions, clip.rotations)
        return [
            JointKeys(number, translations[:, joint], rotations[:, joint], node.translation, node.rotation)
            for joint, number in enumerate(self.tree.nodes)
            for node in (self.nodes[number],)
        ]

    def _without_joints(self, animation: Item) -> Fields:
        """Return an animation without the channels of the skeleton and of the nodes above it, and their samplers."""
        moved = {number for joint in self.tree.nodes for number in _upwards(self.nodes, joint)}
        kept = [each for each in animation.items("channels") if not _moves(each.needed_item("target"), moved)]
        samplers = animation.items("samplers")
        used = [each.index("sampler", samplers, f"samplers in {animation.place}") for each in kept]
        order = list(dict.fromkeys(used))
        return animation.fields | {
            "samplers": [samplers[number].fields for number in order],
            "channels": [each.fields | {"sampler": order.index(k)} for each, k in zip(kept, used, strict=True)],
        }

    def _writer(self, document: Item) -> AccessorWriter:
        """Return a writer that continues the file, in the places of what the given document no longer uses."""
        accessors, views, buffers = (document.items(key) for key in ("accessors", "bufferViews", "buffers"))
        content = bytearray(self.arrays.buffer(0) if buffers else b"")
        content += b"\0" * (-len(content) % 4)
        elsewhere = set(_integers(document.fields, False)) | set(_integers(document.fields.get("meshes"), True))
        elsewhere |= {each.integer("inverseBindMatrices", 0) for each in document.items("skins")}
        unused = _sampled(self.document, accessors) - _sampled(document, accessors) - elsewhere
        gone = {view for number in unused for view in _views_of(accessors[number], views)} - elsewhere
        still = [each for number, each in enumerate(accessors) if number not in unused] + document.items("images")
        gone -= {view for owner in still for view in _views_of(owner, views)}
        chosen = {number for number in gone if views[number].index("buffer", buffers, "buffers") == 0}
        holes = [] if any("extensions" in view.fields for view in views) else _holes(views, chosen, len(content))
        for start, stop in holes:
            content[start:stop] = bytes(stop - start)
        if holes and holes[-1][1] == len(content):
            del content[holes.pop()[0] :]
        return AccessorWriter(
            [each.fields for each in accessors],
            [each.fields for each in views],
            content,
            sorted(unused),
            sorted(chosen),
            holes,
        )

    def _without_matrices(self, animations: Sequence[Fields]) -> list[Fields]:
        """Return the nodes. Animated nodes have translation, rotation and scale, as glTF demands."""
        nodes = [node.item.fields for node in self.nodes]
        channels = [channel for animation in animations for channel in animation["channels"]]
        for number in {channel["target"].get("node") for channel in channels}:
            if number is not None and "matrix" in nodes[number]:
                node = self.nodes[number]
                parts = {"translation": node.translation, "rotation": node.rotation[[1, 2, 3, 0]], "scale": node.scale}
                rest = {key: value for key, value in nodes[number].items() if key != "matrix"}
                nodes[number] = rest | {key: value.tolist() for key, value in parts.items()}
        return nodes

    def _buffers(self, length: int) -> list[Fields]:
        """Return the buffers: the first is the .glb's own, and files beside the document go into it as data URIs."""
        items = self.document.items("buffers")
        first = {key: value for key, value in items[0].fields.items() if key != "uri"} if items else {}
        others = [
            item.fields | {"uri": data_uri(self.arrays.buffer(number))} if _is_file(item.text("uri")) else item.fields
            for number, item in enumerate(items)
        ]
        return [first | {"byteLength": length}, *others[1:]]


def _place_of(name: str, clip: Clip, scene: GltfScene, animations: Sequence[Item]) -> int | None:
    """Return the number of the animation that a take replaces, the one it was read from or of its name, else None."""
    origin = clip.origin
    if origin is not None and origin.scene is scene and origin.take is not None and name == take_name(clip):
        return origin.take
    return next((number for number, each in enumerate(animations) if each.text("name") == name), None)


def _upwards(nodes: Sequence[Node], number: int) -> Iterator[int]:
    """Yield a node and all nodes above it."""
    while number >= 0:
        yield number
        number = nodes[number].parent


def _moves(target: Item, nodes: set[int]) -> bool:
    return target.integer("node", -1) in nodes and target.text("path") in _MOVED


def _is_file(uri: str) -> bool:
    return bool(uri) and not uri.startswith("data:")


def _sampled(document: Item, accessors: Sequence[Item]) -> set[int]:
    """Return the numbers of the accessors of animations."""
    samplers = [sampler for each in document.items("animations") for sampler in each.items("samplers")]
    return {each.index(key, accessors, "accessors") for each in samplers for key in ("input", "output")}


def _views_of(owner: Item, views: Sequence[Item]) -> set[int]:
    """Return the numbers of the buffer views that an accessor or an image takes its data from."""
    sparse = owner.item("sparse")
    parts = [sparse.needed_item(key) for key in ("indices", "values")] if sparse else []
    return {each.index("bufferView", views, "views") for each in (owner, *parts) if "bufferView" in each.fields}


def _integers(value: Any, counted: bool) -> Iterator[int]:
    """Yield every integer in JSON, or those within extensions: any of them may be the number of an accessor or view."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _integers(part, counted or key == "extensions")
    elif isinstance(value, list):
        for part in value:
            yield from _integers(part, counted)
    elif counted and isinstance(value, int):
        yield value


def _holes(views: Sequence[Item], gone: set[int], most: int) -> list[tuple[int, int]]:
    """Return the ranges of the first buffer's bytes that only views in `gone` use, from and to multiples of 4."""
    ranges = [(view.integer("byteOffset", 0), view.integer("byteLength")) for view in views]
    first_buffer = [view.integer("buffer") == 0 for view in views]
    kept = sorted(
        (start, start + length)
        for number, (start, length) in enumerate(ranges)
        if number not in gone and first_buffer[number]
    )
    starts, stops = [start for start, _ in kept], np.maximum.accumulate([0, *(stop for _, stop in kept)])
    holes: list[tuple[int, int]] = []
    for start, length in sorted(ranges[number] for number in gone):
        first, stop = -(-start // 4) * 4, -(-(start + length) // 4) * 4
        if first >= stop or stop > most or stops[np.searchsorted(starts, stop)] > first:
            continue
        if holes and first <= holes[-1][1]:
            first, stop = holes[-1][0], max(stop, holes.pop()[1])
        holes.append((first, stop))
    return holes
