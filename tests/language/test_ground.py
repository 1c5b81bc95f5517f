"""Scripts may fill gaps on a ground of their own, from a file in their folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from segue.errors import SegueError
from segue.language import Session


def test_scripts_name_a_height_a_file_or_auto(tmp_path: Path) -> None:
    (tmp_path / "steps.toml").write_text("[[box]]\ncentre = [0, 0.05, 1.0]\nsize = [2, 0.1, 0.3]\n", encoding="utf-8")
    session = Session(tmp_path, say=lambda _: None)
    ends = [
        float(session.run(f"fill(clips.walk, 0.5, 0.8, ground={ground})", "test").at([0.65]).hinges.sum())  # type: ignore[union-attr]
        for ground in ('"auto"', "0.0", '"steps.toml"')
    ]
    assert ends[0] == pytest.approx(ends[1], abs=0.05)


@pytest.mark.parametrize("ground", ['"../steps.toml"', '"nothing.toml"', '"outside.toml"'])
def test_grounds_stay_in_the_folder(tmp_path: Path, ground: str) -> None:
    (tmp_path / "steps.toml").write_text("height = 0.1\n", encoding="utf-8")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "outside.toml").write_text('mesh = "../mesh.glb"\n', encoding="utf-8")
    with pytest.raises(SegueError):
        Session(inside, say=lambda _: None).run(f"fill(clips.walk, 0.5, 0.8, ground={ground})", "test")
