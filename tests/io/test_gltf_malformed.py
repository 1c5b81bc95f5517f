"""Files that are broken, by hand or at random: one clear sentence, never a crash, never a huge allocation."""

from __future__ import annotations

import contextlib
import json
import struct
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gltf_samples import HandMade, pack, two_bones
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.errors import FileFormatError, SegueError, SegueWarning
from segue.io.gltf import read_glb
from segue.motion.clip import Clip

MEGABYTE = 1_000_000


def read_bytes(data: bytes, path: Path) -> Clip:
    path.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", SegueWarning)
        return read_glb(path)


Change = Callable[[dict[str, Any]], object]


def at(*keys: str | int, value: Any) -> Change:
    """Return a change of the document that sets one field."""

    def change(document: dict[str, Any]) -> None:
        holder: Any = document
        for key in keys[:-1]:
            holder = holder[key]
        holder[keys[-1]] = value

    return change


def without(*keys: str | int) -> Change:
    def change(document: dict[str, Any]) -> None:
        holder: Any = document
        for key in keys[:-1]:
            holder = holder[key]
        del holder[keys[-1]]

    return change


DOCUMENTS: dict[str, tuple[Change, str]] = {
    "no asset": (without("asset"), "asset is missing"),
    "old version": (at("asset", "version", value="1.0"), "asset.version is '1.0': only glTF 2.0"),
    "nodes not a list": (at("nodes", value={"a": 1}), "nodes is an object: a JSON list is needed"),
    "node not an object": (at("nodes", 1, value=7), r"nodes\[1\] is 7: a JSON object"),
    "child beyond the nodes": (at("nodes", 2, "children", value=[9]), r"nodes\[2\].children\[0\] is 9: the file has 3"),
    "negative child": (at("nodes", 2, "children", value=[-1]), r"children\[0\] is -1: a whole number"),
    "fraction of a child": (at("nodes", 2, "children", value=[0.5]), r"children\[0\] is 0.5: a whole number"),
    "child that is true": (at("nodes", 2, "children", value=[True]), r"children\[0\] is true: a whole number"),
    "circle of nodes": (at("nodes", 2, "children", value=[1]), "is a child of both"),
    "circle apart": (
        lambda d: d["nodes"].extend([{"children": [4]}, {"children": [3]}]),
        r"nodes\[3\] is its own ancestor",
    ),
    "own child": (lambda d: d["nodes"].append({"children": [3]}), r"nodes\[3\] is its own ancestor"),
    "two parents": (at("nodes", 0, "children", value=[1, 2]), "is a child of both nodes.0. and nodes.1."),
    "short translation": (at("nodes", 1, "translation", value=[1, 2]), r"translation is \[1, 2\]: 3 finite numbers"),
    "words for numbers": (at("nodes", 1, "translation", value=["a", 2, 3]), "3 finite numbers"),
    "infinite number": (at("nodes", 1, "translation", value=[10**400, 0, 0]), "3 finite numbers"),
    "zero rotation": (at("nodes", 1, "rotation", value=[0, 0, 0, 0]), "a quaternion of length 1"),
    "flat matrix": (at("nodes", 0, "matrix", value=[0] * 16), "flattens space"),
    "sheared matrix": (
        at("nodes", 0, "matrix", value=[1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
        "shears space",
    ),
    "perspective matrix": (
        at("nodes", 0, "matrix", value=[1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
        "last row other than",
    ),
    "skin without joints": (at("skins", 0, "joints", value=[]), r"skins\[0\].joints has no joints"),
    "joint beyond the nodes": (at("skins", 0, "joints", value=[3]), r"skins\[0\].joints\[0\] is 3"),
    "neither skin nor animation": (
        lambda d: (d.pop("skins"), d.pop("animations")),
        "there is no skeleton to read",
    ),
    "name that is a number": (at("nodes", 1, "name", value=5), r"nodes\[1\].name is 5: a text"),
    "sampler beyond": (at("animations", 0, "channels", 0, "sampler", value=2), "2 samplers in animations"),
    "channel without a target": (without("animations", 0, "channels", 0, "target"), "target is missing"),
    "target beyond the nodes": (at("animations", 0, "channels", 0, "target", "node", value=3), "target.node is 3"),
    "the same target twice": (
        lambda d: d["animations"][0]["channels"].append(d["animations"][0]["channels"][0]),
        "as a channel before it does",
    ),
    "unknown interpolation": (at("animations", 0, "samplers", 0, "interpolation", value="MAGIC"), "is 'MAGIC'"),
    "accessor beyond": (at("animations", 0, "samplers", 0, "output", value=3), "the file has 3 accessors"),
    "wrong width": (at("animations", 0, "samplers", 0, "output", value=1), "is 'VEC4': .* needs VEC3"),
    "values for other times": (at("accessors", 2, "count", value=4), "has 4 values for 5 times"),
    "cubic without tangents": (at("animations", 0, "samplers", 0, "interpolation", value="CUBICSPLINE"), "three"),
    "wrong component type": (at("accessors", 2, "componentType", value=5123), "componentType is 5123"),
    "unknown component type": (at("accessors", 2, "componentType", value=1), "componentType is 1"),
    "integer times": (at("accessors", 0, "componentType", value=5125), "needs 5126"),
    "bare integers for rotations": (at("accessors", 1, "componentType", value=5122), "normalised integer"),
    "no elements": (at("accessors", 0, "count", value=0), "count is 0"),
    "negative count": (at("accessors", 0, "count", value=-5), "count is -5"),
    "huge count": (at("accessors", 0, "count", value=2**50), "reaches to byte"),
    "count beyond all": (at("accessors", 0, "count", value=1e300), "count is 1e.300"),
    "huge count of zeros": (
        at("accessors", 0, value={"componentType": 5126, "type": "SCALAR", "count": 2**40}),
        "without data may have",
    ),
    "view beyond": (at("accessors", 0, "bufferView", value=9), "the file has 3 buffer views"),
    "offset beyond the view": (at("accessors", 0, "byteOffset", value=8), "to byte 28 of a buffer view that has 20"),
    "view beyond the buffer": (at("bufferViews", 0, "byteLength", value=10**6), "reaches to byte 1000000 of a buffer"),
    "view without a length": (without("bufferViews", 0, "byteLength"), "byteLength is missing"),
    "small stride": (at("bufferViews", 2, "byteStride", value=4), "byteStride is 4: .* takes 12 bytes"),
    "compressed view": (at("bufferViews", 0, "extensions", value={"EXT_meshopt_compression": {}}), "is compressed"),
    "buffer beyond": (at("bufferViews", 0, "buffer", value=1), "the file has 1 buffers"),
    "buffer longer than its data": (at("buffers", 0, "byteLength", value=10**9), "the buffer has only"),
    "buffer from elsewhere": (at("buffers", 0, "uri", value="../../secret.bin"), "only a file in the folder"),
    "buffer of the machine": (at("buffers", 0, "uri", value="/dev/zero"), "only a file in the folder"),
    "buffer from the network": (at("buffers", 0, "uri", value="https://x.org/a.bin"), "only a file in the folder"),
    "buffer that is not there": (at("buffers", 0, "uri", value="gone.bin"), "no such file beside"),
    "buffer with an impossible name": (at("buffers", 0, "uri", value="a" * 5000), "no such file beside"),
    "bad base64": (at("buffers", 0, "uri", value="data:;base64,!!!"), "not valid base64"),
    "data URI without data": (at("buffers", 0, "uri", value="data:"), "without a comma"),
    "sparse beyond": (
        at("accessors", 0, "sparse", value={"count": 9, "indices": {}, "values": {}}),
        "sparse.count is 9: 1 to 5",
    ),
    "sparse with float indices": (
        at("accessors", 0, "sparse", value={"count": 1, "indices": {"bufferView": 0, "componentType": 5126}}),
        "indices are 5121, 5123 or 5125",
    ),
    "sparse out of order": (
        at("accessors", 0, "sparse", value={"count": 2, "indices": {"bufferView": 2, "componentType": 5121}}),
        "strictly increasing",
    ),
}


@pytest.mark.parametrize("fault", DOCUMENTS)
def test_a_broken_document(fault: str, tmp_path: Path) -> None:
    change, message = DOCUMENTS[fault]
    made = two_bones()
    document = made.complete()
    change(document)
    tracemalloc.start()
    try:
        with pytest.raises(FileFormatError, match=message) as caught:
            read_bytes(pack(document, made.binary), tmp_path / "broken.glb")
        assert tracemalloc.get_traced_memory()[1] < 20 * MEGABYTE
    finally:
        tracemalloc.stop()
    assert str(caught.value).startswith(f"{tmp_path / 'broken.glb'}: ")
    assert "\n" not in str(caught.value)


GLB = two_bones().glb()
TEXT_ONLY = pack(two_bones().complete(), b"")[:-8]
CONTAINERS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "is no glTF file"),
    "wrong magic": (b"GLTF" + GLB[4:], "is no glTF file: it begins with b'GLTF'"),
    "a picture": (b"\x89PNG\r\n", "is no glTF file"),
    "only the magic": (GLB[:4], "within the header"),
    "version 1": (GLB[:4] + struct.pack("<I", 1) + GLB[8:], "version 1: only version 2"),
    "cut in the text": (GLB[:200], "the file is cut short"),
    "cut in the binary": (GLB[:-10], "the file is cut short"),
    "chunk longer than the file": (GLB[:12] + struct.pack("<I", 2**32 - 1) + GLB[16:], "chunk 0 should hold"),
    "cut in a chunk's head": (GLB[:8] + struct.pack("<I", 16) + GLB[12:16], "within the head of chunk 0"),
    "no chunk": (GLB[:8] + struct.pack("<I", 12), "does not begin with a JSON chunk"),
    "no JSON chunk": (GLB[:16] + b"BIN\0" + GLB[20:], "does not begin with a JSON chunk"),
    "no binary chunk": (TEXT_ONLY[:8] + struct.pack("<I", len(TEXT_ONLY)) + TEXT_ONLY[12:], "has no data"),
    "not JSON": (pack(b"{not json}", b""), "the JSON text is broken at its line 1, column 2"),
    "not an object": (pack(b"[1, 2]", b""), r"the JSON text is \[1, 2\]"),
    "NaN in the text": (pack(b'{"asset": NaN}', b""), "no glTF file may have"),
    "endless nesting": (pack(b'{"a":' + b"[" * 100_000, b""), "no glTF file may have"),
    "endless number": (pack(b'{"a":' + b"1" * 10_000 + b"}", b""), "no glTF file may have"),
    "not UTF-8": (pack(b'{"a": "\xff"}', b""), "not UTF-8 at its byte 7"),
}


@pytest.mark.parametrize("fault", CONTAINERS)
def test_a_broken_container(fault: str, tmp_path: Path) -> None:
    data, message = CONTAINERS[fault]
    with pytest.raises(FileFormatError, match=message):
        read_bytes(data, tmp_path / "broken.glb")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="there is no such file"):
        read_glb(tmp_path / "gone.glb")


def channel(path: str, times: Any, values: Any, interpolation: str = "LINEAR") -> HandMade:
    made = two_bones()
    made.document["animations"] = []
    made.animate((1, path, made.array(times), made.array(values), interpolation))
    return made


# tangent, value, tangent of two keys on opposite hemispheres: half-way there is no rotation
THROUGH_ZERO = [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, -1], [0, 0, 0, 0]]


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (channel("translation", [0, 2, 1], np.zeros((3, 3))), "times that do not increase"),
        (channel("translation", [0, 1, 1], np.zeros((3, 3))), "times that do not increase"),
        (channel("translation", [0, np.nan], np.zeros((2, 3))), "is not finite, in element 1"),
        (channel("translation", [0, 1], [[0, 0, 0], [0, np.inf, 0]]), "is not finite, in element 1"),
        (channel("rotation", [0, 1], [[0, 0, 0, 1], [0, 0, 0, 0]]), "length zero at key 1"),
        (channel("translation", [0, 1e30], np.zeros((2, 3))), "frames can be read"),
        (channel("scale", [0, 0.1], [[1, 1, 1], [1, 1, 2]]), "only the same scale along all axes"),
        (channel("rotation", [0, 0.2], THROUGH_ZERO, "CUBICSPLINE"), "joint 'Hips' is not finite in frame 3"),
    ],
)
def test_broken_numbers(made: HandMade, message: str, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=message):
        read_bytes(made.glb(), tmp_path / "broken.glb")


def test_a_pose_at_infinity(tmp_path: Path) -> None:
    made = two_bones()
    for node in made.document["nodes"][:2]:
        node["scale"] = [1e200] * 3
    with pytest.raises(FileFormatError, match="the pose of joint 'Knee' is not finite"):
        read_bytes(made.glb(), tmp_path / "broken.glb")


def is_clip_or_error(data: bytes, path: Path) -> None:
    with contextlib.suppress(SegueError):  # any other error fails the test
        assert isinstance(read_bytes(data, path), Clip)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_changed_bytes_give_a_clip_or_an_error(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    changed = bytearray(GLB)
    for _ in range(data.draw(st.integers(1, 6))):
        changed[data.draw(st.integers(0, len(GLB) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.just(len(GLB)) | st.integers(0, len(GLB)))
    is_clip_or_error(bytes(changed[:cut]), tmp_path_factory.getbasetemp() / "changed.glb")


WEIRD = st.one_of(
    st.sampled_from([None, True, -1, 0, 1, 2, 3, 0.5, 1e308, 2**31, 2**40, 10**30, "", "x", [], {}, [0], [[]], [{}]]),
    st.integers(0, 10),
    st.floats(allow_nan=False, allow_infinity=False),
    st.lists(st.floats(-1e9, 1e9), min_size=3, max_size=4),
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return holder and key of every value in a document."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, part in inside for place in ((value, key), *places(part))]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_changed_documents_give_a_clip_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    made = two_bones()
    document = made.complete()
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from(places(document)))
        holder[key] = data.draw(WEIRD)
        if not document:
            break
    is_clip_or_error(pack(json.dumps(document).encode(), made.binary), tmp_path_factory.getbasetemp() / "changed.glb")
