"""Memory between runs: only what changed is computed, effects do nothing, files that changed are read again."""

from __future__ import annotations

import os
from pathlib import Path

import segue as sg
from segue.language.memory import Memory
from segue.language.session import Session

SCRIPT = "\n".join(
    [
        "a = clips.walk",
        *(f"a = transition(a, clips.walk, 0.4, leave=stop(a) - 0.3, enter=0.{k})" for k in range(1, 5)),
        'save(a, "x.bvh")',
        "show(a)",
    ]
)


def test_only_what_changed_is_computed_and_gives_the_same_motion(tmp_path: Path) -> None:
    memory = Memory()
    said: list[str] = []
    Session(tmp_path, say=said.append, memory=memory).run(SCRIPT)
    first = memory.computed
    Session(tmp_path, memory=memory).run(SCRIPT)
    assert memory.computed == first
    changed = SCRIPT.replace("enter=0.4", "enter=0.45")
    session = Session(tmp_path, memory=memory)
    session.run(changed)
    assert memory.computed == first + 1
    fresh = Session(tmp_path, say=lambda line: None)
    fresh.run(changed.replace("save", "#"))
    a, b = session.values["a"], fresh.values["a"]
    assert isinstance(a, sg.Motion)
    assert isinstance(b, sg.Motion)
    assert (a.poses.root == b.poses.root).all()
    assert not said
    assert not list(tmp_path.iterdir())


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    memory, file = Memory(), tmp_path / "a.bvh"
    sg.save(sg.trim(sg.clips.walk, 0.0, 0.5), file)
    script = 'load("a.bvh")'
    first = Session(tmp_path, memory=memory).run(script)
    assert Session(tmp_path, memory=memory).run(script) is first
    sg.save(sg.trim(sg.clips.walk, 0.0, 1.0), file)
    os.utime(file, ns=(1, 1))
    second = Session(tmp_path, memory=memory).run(script)
    assert isinstance(second, sg.Motion)
    assert second.duration > 0.9
    assert memory.computed == 2


def test_the_memory_has_an_end(tmp_path: Path) -> None:
    memory = Memory(most=5)
    for k in range(20):
        Session(tmp_path, memory=memory).run(f"retime(clips.walk, {k})")
    assert len(memory) == 5
