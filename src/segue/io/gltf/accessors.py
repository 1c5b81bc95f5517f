"""Accessors: arrays out of a glTF file's bytes, each checked against the bytes there are, and arrays into bytes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from segue.io.gltf.container import buffer_bytes
from segue.io.gltf.document import Item
from segue.typing import Array, Ints

TRIANGLES = 4  # the mode of a primitive

ARRAY_BUFFER = 34962  # the target of a buffer view of vertex attributes

FLOAT = 5126
_COMPONENTS: Mapping[int, np.dtype[Any]] = MappingProxyType(
    {
        5120: np.dtype("<i1"),
        5121: np.dtype("<u1"),
        5122: np.dtype("<i2"),
        5123: np.dtype("<u2"),
        5125: np.dtype("<u4"),
        FLOAT: np.dtype("<f4"),
    }
)
NORMALISED = frozenset({5120, 5121, 5122, 5123})  # integers that may stand for -1 to 1 or 0 to 1
_SPARSE_INDICES = frozenset({5121, 5123, 5125})
_WIDTHS: Mapping[str, int] = MappingProxyType({"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16})

# an accessor without a buffer view is all zeros, which costs a file nothing and its reader 8 bytes a number
_MOST_ZEROS = 10_000_000


class AccessorReader:
    """The arrays of a file, read when they are asked for."""

    def __init__(self, document: Item, binary: bytes | None) -> None:
        self._document = document
        self._binary = binary
        self._accessors = document.items("accessors")
        self._views = document.items("bufferViews")
        self._buffers = document.items("buffers")
        self._loaded: dict[int, bytes] = {}

    @property
    def loaded_bytes(self) -> int:
        """The size of the buffers that were needed so far."""
        return sum(len(data) for data in self._loaded.values())

    def read(self, owner: Item, key: str, width: str, integers: Collection[int] = ()) -> Array:
        """Return the array (count, components) that a field of `owner` points at.

        width: "SCALAR", "VEC3", ... . integers: component types besides FLOAT that are allowed, as normalised integers.
        """
        accessor = self._accessors[owner.index(key, self._accessors, "accessors")]
        if (kind := accessor.text("type")) != width:
            accessor.fail(f"is '{kind}': {owner.place}.{key} needs {width}", "type")
        component = accessor.integer("componentType")
        normalised = accessor.flag("normalized")
        if component != FLOAT and not (component in integers and normalised):
            accessor.fail(
                f"is {component}{' and normalised' if normalised else ''}: {owner.place}.{key} needs {FLOAT} (float)"
                + (" or a normalised integer of 8 or 16 bits" if integers else ""),
                "componentType",
            )
        raw = self._dense(accessor, component, _WIDTHS[width])
        values = np.asarray(raw, dtype=float)
        if component != FLOAT:
            values = np.maximum(values / np.iinfo(_COMPONENTS[component]).max, -1.0)
        if not np.isfinite(values).all():
            at = int(np.argwhere(~np.isfinite(values).all(axis=1))[0, 0])
            accessor.fail(f"holds a number that is not finite, in element {at}")
        return values

    def indices(self, owner: Item, key: str, width: str = "SCALAR") -> Ints:
        """Return the whole numbers (count, components) that a field of `owner` points at."""
        accessor = self._accessors[owner.index(key, self._accessors, "accessors")]
        component = accessor.integer("componentType")
        if component not in _SPARSE_INDICES:
            accessor.fail(f"is {component}: indices are 5121, 5123 or 5125 (unsigned integers)", "componentType")
        if (kind := accessor.text("type")) != width:
            accessor.fail(f"is '{kind}': {owner.place}.{key} needs {width}", "type")
        return self._dense(accessor, component, _WIDTHS[width]).astype(np.int64)

    def _dense(self, accessor: Item, component: int, width: int) -> npt.NDArray[Any]:
        count = accessor.integer("count")
        if count < 1:
            accessor.fail("is 0: an accessor has at least one element", "count")
        dtype = _COMPONENTS[component]
        if "bufferView" in accessor.fields:
            values = self._from_view(accessor, dtype, count, width)
        elif count * width <= _MOST_ZEROS:
            values = np.zeros((count, width), dtype)
        else:
            accessor.fail(f"is {count}: an accessor without data may have {_MOST_ZEROS // width} elements", "count")
        sparse = accessor.item("sparse")
        return values if sparse is None else self._with_sparse(sparse, values, dtype)

    def _with_sparse(self, sparse: Item, values: npt.NDArray[Any], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        """Return a copy with the elements that a sparse accessor replaces."""
        count = sparse.integer("count")
        if not 1 <= count <= len(values):
            sparse.fail(f"is {count}: 1 to {len(values)} elements can be replaced", "count")
        where = sparse.needed_item("indices")
        component = where.integer("componentType")
        if component not in _SPARSE_INDICES:
            where.fail(f"is {component}: indices are 5121, 5123 or 5125 (unsigned integers)", "componentType")
        indices = self._from_view(where, _COMPONENTS[component], count, 1)[:, 0].astype(np.int64)
        if (np.diff(indices) <= 0).any() or indices[-1] >= len(values):
            where.fail(f"are not strictly increasing numbers below {len(values)}")
        replaced = values.copy()
        replaced[indices] = self._from_view(sparse.needed_item("values"), dtype, count, values.shape[1])
        return replaced

    def _from_view(self, holder: Item, dtype: np.dtype[Any], count: int, width: int) -> npt.NDArray[Any]:
        """Return the elements that lie in a buffer view, without a copy, if the view really holds them all."""
        view = self._views[holder.index("bufferView", self._views, "buffer views")]
        extensions = view.item("extensions")
        if extensions is not None and any("meshopt" in name for name in extensions.fields):
            view.fail("is compressed (meshopt): export without compression, or run gltfpack -noq -i IN.glb -o OUT.glb")
        data = self._view_bytes(view)
        element = dtype.itemsize * width
        stride = view.integer("byteStride", element)
        if stride < element:
            view.fail(f"is {stride}: an element of {holder.place} takes {element} bytes", "byteStride")
        offset = holder.integer("byteOffset", 0)
        end = offset + stride * (count - 1) + element
        if end > len(data):
            holder.fail(f"reaches to byte {end} of a buffer view that has {len(data)}")
        return np.ndarray((count, width), dtype, data, offset, (stride, dtype.itemsize))

    def buffer(self, number: int) -> bytes:
        """Return the content of a buffer."""
        if number not in self._loaded:
            self._loaded[number] = buffer_bytes(self._buffers[number], is_first=number == 0, binary=self._binary)
        return self._loaded[number]

    def view(self, owner: Item) -> bytes:
        """Return the content of the buffer view that a field of `owner` points at."""
        return bytes(self._view_bytes(self._views[owner.index("bufferView", self._views, "buffer views")]))

    def _view_bytes(self, view: Item) -> memoryview:
        data = self.buffer(view.index("buffer", self._buffers, "buffers"))
        offset, length = view.integer("byteOffset", 0), view.integer("byteLength")
        if offset + length > len(data):
            view.fail(f"reaches to byte {offset + length} of a buffer that has {len(data)}")
        return memoryview(data)[offset : offset + length]


@dataclass
class AccessorWriter:
    """Arrays as accessors of one buffer, each in a buffer view of its own that begins at a multiple of 4 bytes.

    accessors, views, content: those of the file so far. spare_accessors, spare_views: numbers of entries that may be
    replaced. holes: ranges of bytes that may be replaced, from and to multiples of 4.
    """

    accessors: list[dict[str, Any]] = field(default_factory=list)
    views: list[dict[str, Any]] = field(default_factory=list)
    content: bytearray = field(default_factory=bytearray)
    spare_accessors: list[int] = field(default_factory=list)
    spare_views: list[int] = field(default_factory=list)
    holes: list[tuple[int, int]] = field(default_factory=list)

    def add(self, values: npt.NDArray[Any], width: str, *, target: int | None = None, bounds: bool = False) -> int:
        """Append an array (count, ...) and return the number of its accessor; bounds: write min and max too."""
        dtype = values.dtype.newbyteorder("<")
        component = next(code for code, known in _COMPONENTS.items() if known == dtype)
        rows = np.ascontiguousarray(values, dtype=dtype).reshape(len(values), _WIDTHS[width])
        data = rows.tobytes()
        view = {"buffer": 0, "byteOffset": self._place(data), "byteLength": len(data)}
        if target is not None:
            view["target"] = target
        accessor: dict[str, Any] = {
            "bufferView": _put(self.views, view, self.spare_views),
            "componentType": component,
            "count": len(rows),
            "type": width,
        }
        if bounds:
            accessor |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        return _put(self.accessors, accessor, self.spare_accessors)

    def _place(self, data: bytes) -> int:
        """Write bytes into the first hole that takes them, or behind all others, and return where they begin."""
        padded = data + b"\0" * (-len(data) % 4)
        for k, (start, stop) in enumerate(self.holes):
            if len(padded) <= stop - start:
                self.content[start : start + len(padded)] = padded
                self.holes[k] = (start + len(padded), stop)
                return start
        start = len(self.content)
        self.content += padded
        return start


def _put(entries: list[dict[str, Any]], entry: dict[str, Any], spare: list[int]) -> int:
    """Put an entry in the place of the first spare one, or behind all others, and return its number."""
    if spare:
        entries[spare[0]] = entry
        return spare.pop(0)
    entries.append(entry)
    return len(entries) - 1


def read_triangles(primitive: Item, accessors: AccessorReader) -> tuple[Array, Ints]:
    """Return the vertices (V, 3) and the triangles (N, 3) of one primitive."""
    if "KHR_draco_mesh_compression" in primitive.fields.get("extensions", ()):
        primitive.fail(
            "is compressed (Draco): export the file without compression, or run gltf-transform cp IN.glb OUT.glb"
        )
    places = accessors.read(primitive.needed_item("attributes"), "POSITION", "VEC3")
    if "indices" not in primitive.fields:
        corners = np.arange(len(places) - len(places) % 3)
    else:
        corners = accessors.indices(primitive, "indices")[:, 0]
        if corners.max() >= len(places):
            primitive.fail(f"names vertex {corners.max()}: there are {len(places)} vertices", "indices")
    if len(corners) % 3:
        primitive.fail(f"has {len(corners)} indices: three a triangle are needed", "indices")
    return places, corners.reshape(-1, 3)
