"""A small ASCII FBX file with everything that turns a bone, and where its joints are by the format's own formula."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from segue.typing import Array

TICKS = 46186158000  # of a second
TIMES = (0.0, 0.5, 1.0)
ORDERS = ("xyz", "xzy", "yzx", "yxz", "zxy", "zyx")  # by the number in RotationOrder, innermost first
# for each bone of the chain: translation, keys of the rotation, pre- and post-rotation, rotation order, pivot, offset
BONES = (
    ((0, 90, 3), ((0, 0, 0), (10, 20, -30), (25, -40, 15)), (-90, 0, 12), (0, 0, 0), 0, (0, 0, 0), (0, 0, 0)),
    ((0, 25, 0), ((5, 0, 0), (0, 35, 0), (0, 0, 45)), (30, -20, 75), (10, 20, 30), 4, (0, 0, 0), (0, 0, 0)),
    ((12, 0, 4), ((0, 9, 0), (60, 15, 5), (80, -25, 30)), (0, 0, 90), (-15, 40, 5), 2, (2, -1, 3), (0.5, 0, -2)),
    ((0, -30, 1), ((0, 0, 0), (0, 0, 0), (0, 0, 0)), (0, 0, 0), (0, 0, 0), 0, (0, 0, 0), (0, 0, 0)),
)


def _vector(name: str, values: tuple[float, ...]) -> str:
    return f'P: "{name}", "Vector3D", "Vector", "",{",".join(map(str, values))}'


def text(unit: float = 1.0, up: int = 1, others: tuple[str, ...] = ()) -> str:
    """Return the file; unit: centimetres. up: 1 for Y, 2 for Z. others: single bones beside the chain."""
    front, right = (2, 0) if up == 1 else (1, 0)
    sign = 1 if up == 1 else -1
    settings = {"UpAxis": up, "UpAxisSign": 1, "FrontAxis": front, "FrontAxisSign": sign, "CoordAxis": right}
    settings |= {"CoordAxisSign": 1, "TimeMode": 6}
    objects, links = [], ['C: "OO",900,0', 'C: "OO",901,900']
    objects += [
        'AnimationStack: 900, "AnimStack::Take 001", "" {\n}',
        'AnimationLayer: 901, "AnimLayer::Base", "" {\n}',
    ]
    for bone, (move, keys, before, after, order, pivot, offset) in enumerate(BONES):
        number = 100 + bone
        rows = [
            'P: "RotationActive", "bool", "", "",1',
            f'P: "RotationOrder", "enum", "", "",{order}',
            _vector("PreRotation", before),
            _vector("PostRotation", after),
            _vector("RotationPivot", pivot),
            _vector("RotationOffset", offset),
            f'P: "Lcl Translation", "Lcl Translation", "", "A",{",".join(map(str, move))}',
            f'P: "Lcl Rotation", "Lcl Rotation", "", "A",{",".join(map(str, keys[0]))}',
        ]
        objects.append(
            f'Model: {number}, "Model::bone{bone}", "LimbNode" {{\nProperties70: {{\n{chr(10).join(rows)}\n}}\n}}'
        )
        objects.append(f'NodeAttribute: {200 + bone}, "NodeAttribute::", "LimbNode" {{\nTypeFlags: "Skeleton"\n}}')
        links += [f'C: "OO",{number},{number - 1 if bone else 0}', f'C: "OO",{200 + bone},{number}']
        objects.append(f'AnimationCurveNode: {300 + bone}, "AnimCurveNode::R", "" {{\n}}')
        links += [f'C: "OO",{300 + bone},901', f'C: "OP",{300 + bone},{number}, "Lcl Rotation"']
        for axis, letter in enumerate("XYZ"):
            curve, times = 400 + 3 * bone + axis, ",".join(str(round(time * TICKS)) for time in TIMES)
            values = ",".join(str(float(key[axis])) for key in keys)
            objects.append(
                f'AnimationCurve: {curve}, "AnimCurve::", "" {{\nDefault: 0\nKeyVer: 4008\n'
                f"KeyTime: *3 {{\na: {times}\n}}\nKeyValueFloat: *3 {{\na: {values}\n}}\n"
                "KeyAttrFlags: *1 {\na: 260\n}\nKeyAttrDataFloat: *4 {\na: 0,0,0,0\n}\n"
                "KeyAttrRefCount: *1 {\na: 3\n}\n}"
            )
            links.append(f'C: "OP",{curve},{300 + bone}, "d|{letter}"')
    for number, name in enumerate(others, start=700):
        objects.append(f'Model: {number}, "Model::{name}", "LimbNode" {{\n}}')
        objects.append(f'NodeAttribute: {number + 100}, "NodeAttribute::", "LimbNode" {{\nTypeFlags: "Skeleton"\n}}')
        links += [f'C: "OO",{number},0', f'C: "OO",{number + 100},{number}']
    rows = [f'P: "{name}", "int", "Integer", "",{value}' for name, value in settings.items()]
    rows.append(f'P: "UnitScaleFactor", "double", "Number", "",{unit}')
    return (
        "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n}\n"
        f"GlobalSettings:  {{\nVersion: 1000\nProperties70:  {{\n{chr(10).join(rows)}\n}}\n}}\n"
        f"Objects:  {{\n{chr(10).join(objects)}\n}}\nConnections:  {{\n{chr(10).join(links)}\n}}\n"
    )


def _euler(degrees: tuple[float, ...], order: int = 0) -> Array:
    axes = ORDERS[order]
    ordered = [degrees["xyz".index(axis)] for axis in axes]
    return np.asarray(Rotation.from_euler(axes, ordered, degrees=True).as_matrix())


def positions(unit: float = 1.0, up: int = 1) -> Array:
    """Return the joints in metres with Y up at `TIMES`, (3, 4, 3): T Roff Rp Rpre R Rpost^-1 Rp^-1, bone after bone."""
    found = np.empty((len(TIMES), len(BONES), 3))
    for frame in range(len(TIMES)):
        turn, place = np.eye(3), np.zeros(3)
        for bone, (move, keys, before, after, order, pivot, offset) in enumerate(BONES):
            own = _euler(before) @ _euler(keys[frame], order) @ _euler(after).T
            lever = np.array(pivot)
            place = place + turn @ (np.array(move) + np.array(offset) + lever - own @ lever)
            turn = turn @ own
            found[frame, bone] = place
    if up == 2:
        found = np.stack([found[..., 0], found[..., 2], -found[..., 1]], axis=-1)
    return 0.01 * unit * found
