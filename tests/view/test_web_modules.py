"""Modules of the viewer: how they are joined, and what the studio asks of them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import segue as sg
from segue.view import web
from segue.view.web.contents import ShownMotion, contents, encode
from segue.view.web.pages import joined, modules

FOLDER = Path(web.__file__).parent
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="no Node on this machine")


def test_modules_come_after_those_they_import() -> None:
    parts = {
        "a.js": 'import { c } from "./c.js";\nimport { b } from "./b.js";\nb(c);\n',
        "b.js": 'import {\n  c,\n} from "./c.js";\nexport const b = c;\n',
        "c.js": "export function c() {}\n",
    }
    order = modules("a.js", parts.__getitem__)
    assert order == ["c.js", "b.js", "a.js"]
    assert "import" not in joined(order, parts.__getitem__)
    assert "export" not in joined(order, parts.__getitem__)


def test_modules_that_import_each_other_are_refused() -> None:
    parts = {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}
    with pytest.raises(sg.ArgumentError, match=r"a\.js and b\.js import each other"):
        modules("a.js", parts.__getitem__)


def run(tmp_path: Path, script: str) -> dict:
    """Return what a script prints that imports modules from `web`."""
    for path in FOLDER.glob("*.js"):
        shutil.copy(path, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "main.js").write_text(script)
    done = subprocess.run(["node", tmp_path / "main.js"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@needs_node
def test_a_ray_through_where_a_point_appears_meets_the_point(tmp_path: Path) -> None:
    found = run(
        tmp_path,
        """
import { Camera } from "./camera.js";
import { planeHit, rayThrough } from "./picking.js";
let worst = 0;
for (let k = 0; k < 200; k++) {
  const camera = new Camera(37 * k, 1 + (11 * k) % 88);
  camera.resize({ width: 700, height: 400, top: k % 50, bottom: k % 70 });
  const point = [Math.sin(k), 1 + Math.cos(3 * k), Math.sin(2 * k)];
  const ray = rayThrough(camera, ...camera.project(camera.matrix(), point));
  const hit = planeHit(ray, point, camera.axes().forward);
  worst = Math.max(worst, Math.hypot(...hit.map((part, axis) => part - point[axis])));
}
console.log(JSON.stringify({ worst }));
""",
    )
    assert found["worst"] < 1e-4  # metres; the matrix has 32-bit numbers


@needs_node
def test_the_nearest_limb_under_the_mouse_is_picked(tmp_path: Path) -> None:
    given = contents([ShownMotion("walk", sg.clips.walk, ())])
    (tmp_path / "given.json").write_text(json.dumps(given))
    found = run(
        tmp_path,
        """
import { readFileSync } from "node:fs";
import { Camera } from "./camera.js";
import { Motion, Placement } from "./motion.js";
import { pick, rayThrough } from "./picking.js";
import { carried } from "./vectors.js";
const given = JSON.parse(readFileSync(new URL("./given.json", import.meta.url)));
const motion = new Motion(given.motions[0], given.tree), { segments } = given.tree;
const placement = motion.place(0, new Placement(segments.length)), camera = new Camera(0, 5);
camera.resize({ width: 700, height: 400, top: 0, bottom: 0 });
camera.lookAt({ target: Array.from(placement.places.slice(0, 3)), halfHeight: 1, reach: 0 });
const picked = {};
for (const part of segments) {
  const s = segments.indexOf(part), place = Array.from(placement.places.slice(3 * s, 3 * s + 3));
  const [x, y] = camera.project(camera.matrix(), place);
  picked[part] = pick(rayThrough(camera, x, y), [{ motion: 0, placement, shift: [0, 0, 0] }], [motion])?.segment;
}
// the joint of the head is inside the trunk, so aim below the top of the head
const { segment, place } = motion.points.head_top, top = [0, 0, 0];
carried(top, 0, placement.places, 3 * segment, placement.turns, 4 * segment, ...place);
const aim = camera.project(camera.matrix(), [top[0], top[1] - 0.06, top[2]]);
picked.head = pick(rayThrough(camera, ...aim), [{ motion: 0, placement, shift: [0, 0, 0] }], [motion])?.segment;
const miss = pick(rayThrough(camera, 3, 3), [{ motion: 0, placement, shift: [0, 0, 0] }], [motion]);
console.log(JSON.stringify({ picked, miss, segments }));
""",
    )
    assert found["miss"] is None
    assert all(segment is not None for segment in found["picked"].values())
    head = found["segments"].index("head")
    assert found["picked"]["head"] == head


@needs_node
def test_patched_poses_are_those_of_the_whole(tmp_path: Path) -> None:
    walk = sg.clips.walk
    given = contents([ShownMotion("walk", walk, ())])
    later = encode(walk.poses[5:9])
    (tmp_path / "given.json").write_text(json.dumps(given))
    (tmp_path / "later.json").write_text(
        json.dumps({"frames": 4, "hinges": {"lows": later.lows, "steps": later.steps}, "poses": later.text})
    )
    found = run(
        tmp_path,
        """
import { readFileSync } from "node:fs";
import { Motion, Placement } from "./motion.js";
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url)));
const given = read("./given.json"), later = read("./later.json"), count = given.tree.parents.length;
const whole = new Motion(given.motions[0], given.tree), other = new Motion(given.motions[0], given.tree);
const part = new Motion({ ...given.motions[0], ...later }, given.tree);
for (let frame = 0; frame < 4; frame++) other.roots.fill(9, 3 * (5 + frame), 3 * (6 + frame));
other.angles.fill(1, 5 * other.hingeCount, 9 * other.hingeCount);
other.patch(5, part.unpacked(later.poses), later.hinges);
let worst = 0;
for (let frame = 0; frame < whole.frames; frame++) {
  const a = whole.place(frame, new Placement(count)).places, b = other.place(frame, new Placement(count)).places;
  a.forEach((value, k) => { worst = Math.max(worst, Math.abs(value - b[k])); });
}
console.log(JSON.stringify({ worst }));
""",
    )
    assert found["worst"] < 5e-4
