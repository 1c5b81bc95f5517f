"""The file segue-check.toml: thresholds and exceptions, and one sentence with a line where something is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from segue.errors import FileFormatError
from segue.plausibility import BASELINE, Thresholds, find_config, read_config


def test_thresholds_and_exceptions_are_read(tmp_path: Path) -> None:
    path = tmp_path / "segue-check.toml"
    path.write_text(
        "[thresholds]\nslide_cm = [3, 6]\njerk = inf\n\n[baseline]\nslide_cm = 1\n\n"
        '[clips."dance_*"]\nslide_cm = 9\n[clips."dance_old.bvh"]\nskip = true\n'
    )
    config = read_config(path)
    assert config.thresholds_of("walk.bvh") == Thresholds(slide_cm=(3, 6), jerk=float("inf"))
    assert config.thresholds_of("a/dance_1.bvh").of("slide_cm") == (3, 9)
    assert config.added == BASELINE.changed({"slide_cm": 1})
    assert config.added.of("slide_cm") == (1, 1)
    assert config.skips("b/dance_old.bvh")
    assert not config.skips("dance_new.bvh")


def test_the_nearest_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert find_config(tmp_path / "a" / "b" / "walk.bvh") is None
    (tmp_path / "segue-check.toml").touch()
    assert find_config(tmp_path / "a" / "b" / "walk.bvh") == tmp_path / "segue-check.toml"
    (tmp_path / "a" / "segue-check.toml").touch()
    assert find_config(tmp_path / "a" / "b" / "walk.bvh") == tmp_path / "a" / "segue-check.toml"


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("[thresholds]\nslide_cm = [3, 6\n", 2, "not TOML"),
        ("[thresholds]\njerk = 1\nsliding = 2\n", 3, "no threshold is named 'sliding'"),
        ("[thresholds]\nslide_cm = [6, 3]\n", 2, "suspicious"),
        ("[thresholds]\nslide_cm = true\n", 2, "0 or more"),
        ("[baseline]\n\nslide_cm = -1\n", 3, "0 or more"),
        ("[limits]\n", 1, "no table is named 'limits'"),
        ('[clips."dance_*"]\nslide_cm = "far"\n', 2, "slide_cm"),
        ('[clips."dance_*"]\nskip = 1\n', 2, "true or false"),
        ("thresholds = 3\n", 1, "must be a table"),
    ],
)
def test_what_is_wrong_has_a_line(text: str, line: int, word: str, tmp_path: Path) -> None:
    path = tmp_path / "segue-check.toml"
    path.write_text(text)
    with pytest.raises(FileFormatError, match=word) as told:
        read_config(path)
    assert told.value.line == line
