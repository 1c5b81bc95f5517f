"""Modules of the studio's page that need no browser, run by Node and judged by Python."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from segue import studio
from segue.serve.framing import framed
from segue.serve.messages import read
from segue.serve.requests import Commit, Edit, Revert

FOLDER = Path(studio.__file__).parent / "web"

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="no Node on this machine")


def run(folder: Path, script: str, *arguments: str) -> Any:
    """Return what a script prints that imports modules of the page."""
    for path in FOLDER.glob("*.js"):
        shutil.copy(path, folder)
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (folder / "main.js").write_text(script, encoding="utf-8")
    done = subprocess.run(
        ["node", folder / "main.js", *arguments], capture_output=True, text=True, check=False, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_arrays_arrive_as_they_were_sent(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    arrays = {
        "root": random.normal(size=(7, 3)).astype("<f4"),
        "balls": random.integers(0, 65536, (7, 7, 3)).astype("<u2"),
        "kinds": random.integers(0, 3, (5,)).astype("u1"),
        "exact": random.normal(size=3),
        "none": np.zeros((0, 4), "<i4"),
    }
    (tmp_path / "message").write_bytes(framed({"kind": "motion", "label": "grüße 🕺"}, arrays))
    found = run(
        tmp_path,
        """
import { readFileSync } from "node:fs";
import { unframed } from "./framing.js";
const { buffer, byteOffset, length } = readFileSync(new URL("./message", import.meta.url));
const { message, arrays } = unframed(buffer.slice(byteOffset, byteOffset + length));
const plain = Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, Array.from(array)]));
console.log(JSON.stringify({ label: message.label, arrays: plain }));
""",
    )
    assert found["label"] == "grüße 🕺"
    for name, array in arrays.items():
        assert np.array_equal(np.array(found["arrays"][name], array.dtype), array.ravel()), name


HANDLES = st.fixed_dictionaries(
    {
        "time": st.floats(-50, 50),
        "value": st.floats(0, 50),
        "scale": st.sampled_from([1.0, -1.0, 0.5, 2.0]),
        "to": st.floats(-100, 100),
        "fps": st.sampled_from([0.0, 24.0, 30.0, 120.0]),
        "least": st.floats(-20, 0),
        "most": st.floats(0, 60),
    }
)


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(HANDLES, min_size=20, max_size=20))
def test_a_drag_changes_its_number_by_as_much_as_the_pointer_moved(
    tmp_path: Path, cases: list[dict[str, float]]
) -> None:
    text = "# 🕺\nstep = transition(a, b, leave=1.9, duration=0.6)\n"
    before = len("# 🕺\nstep = transition(a, b, leave=") + 1  # JavaScript counts the dancer twice
    found = run(
        tmp_path,
        """
import { changed, changeOf, spoken, valueAt } from "./handles.js";
const [cases, text, start] = JSON.parse(process.argv[2]);
console.log(JSON.stringify(cases.map((each) => {
  const handle = { ...each, parameter: "leave", what: "leave", start, stop: start + 3, prefix: "", suffix: "" };
  const value = valueAt(handle, each.to, each.fps ? 1 / each.fps : 0, 0);
  return [value, changed(text, [changeOf(handle, value)]), spoken(handle, value)];
})));
""",
        json.dumps([cases, text, before]),
    )
    for case, (value, after, words) in zip(cases, found, strict=True):
        wanted = case["value"] + case["scale"] * (case["to"] - case["time"])
        snap = abs(case["scale"]) * 0.5 / case["fps"] if case["fps"] else 0.0
        assert case["least"] <= value <= case["most"]
        assert abs(value - np.clip(wanted, case["least"], case["most"])) <= snap + 1e-9
        head, tail = text.split("1.9")
        assert after.startswith(head)
        assert after.endswith(tail)
        number = after[len(head) : len(after) - len(tail)]
        assert abs(float(number) - value) <= 0.5001e-3
        assert "e" not in number
        assert number != "-0"
        assert words == f"leave {value:.2f} seconds" or abs(round(value, 2) - float(words.split()[1])) < 0.011


def test_a_gesture_sends_the_newest_edit_when_the_engine_is_ready(tmp_path: Path) -> None:
    found = run(
        tmp_path,
        """
import { Gesture } from "./gesture.js";
const edit = (number) => [{ start: 3, stop: 6, text: String(number) }];
function played(act) {
  const sent = [];
  act(new Gesture(7, (message) => sent.push(message)));
  return sent;
}
console.log(JSON.stringify([
  played((drag) => { for (let k = 0; k < 9; k++) drag.edit(edit(k)); drag.answered(); drag.commit(); drag.edit([]); }),
  played((drag) => { drag.edit(edit(1)); drag.edit(edit(2)); drag.commit(); drag.answered(); }),
  played((drag) => { drag.edit(edit(1)); drag.edit(edit(2)); drag.revert(); drag.answered(); drag.commit(); }),
  played((drag) => { drag.edit(edit(1)); drag.answered(); drag.edit(edit(1)); drag.commit(); }),
  played((drag) => drag.commit()),
  played((drag) => drag.revert()),
]));
""",
    )
    streams = [[read(json.dumps(message)) for message in sent] for sent in found]

    def told(sent: list[Any]) -> list[str]:
        return [each.changes[0].text if isinstance(each, Edit) else type(each).__name__ for each in sent]

    assert [told(sent) for sent in streams] == [
        ["0", "8", "Commit"],
        ["1", "2", "Commit"],
        ["1", "Revert"],
        ["1", "Commit"],
        [],
        [],
    ]
    for sent in streams:
        assert all(each.rev == 7 for each in sent if isinstance(each, Edit))
        assert len({each.gesture for each in sent if isinstance(each, Edit | Commit | Revert)}) <= 1


def test_the_ruler_keeps_the_time_under_the_pointer_and_its_marks_apart(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    cases = [[float(random.uniform(0.2, 600)), float(random.uniform(50, 4000))] for _ in range(200)]
    found = run(
        tmp_path,
        """
import { Ruler } from "./ruler.js";
console.log(JSON.stringify(JSON.parse(process.argv[2]).map(([stop, width]) => {
  const ruler = new Ruler(0, stop, width), marks = ruler.marks().map((time) => ruler.toPixel(time));
  const pixel = 0.4 * width, before = ruler.toTime(pixel);
  ruler.zoom(0.7, pixel, 0, stop);
  const after = ruler.toTime(pixel), half = [ruler.start, ruler.stop];
  ruler.zoom(100, pixel, 0, stop);
  return { marks, before, after, half, whole: [ruler.start, ruler.stop] };
})));
""",
        json.dumps(cases),
    )
    for (stop, width), seen in zip(cases, found, strict=True):
        assert np.isclose(seen["before"], seen["after"])
        assert 0 <= seen["half"][0] < seen["half"][1] <= stop * (1 + 1e-12)
        assert np.allclose(seen["whole"], [0, stop])
        assert all(gap >= 69.9 for gap in np.diff(seen["marks"]))
        assert len(seen["marks"]) >= min(1, width // 400)
