"""A small folder of clips and the library of it, made once: tests work on copies."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path

import pytest

import segue as sg
from segue.library import Builder

NAMES = ("kick.bvh", "more/wave.bvh", "walk.bvh")


@dataclass(frozen=True)
class Desk:
    """A folder of clips, and a library that was built from it."""

    clips: Path
    library: Path

    def build(self, **options: object) -> Builder:
        """Build again, from all clips, and return the builder, whose report says what it did."""
        builder = Builder(self.library, [self.clips], **options)
        builder.run()
        return builder

    def stored(self) -> dict[str, list[tuple[object, ...]]]:
        """Return all rows of the library but for where and when files lay, read by SQLite alone."""
        with contextlib.closing(sqlite3.connect(self.library)) as connection:
            known = "name, file, size, sha256, skeleton, person, figure, frames, sections, poses"
            queries = {"clips": f"SELECT {known} FROM clips", "poses": "SELECT * FROM poses ORDER BY sha256"}
            return {table: connection.execute(query).fetchall() for table, query in queries.items()}


@pytest.fixture(scope="session")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    (folder / "clips" / "more").mkdir(parents=True)
    for name in NAMES:
        motion = sg.clips.motion(Path(name).stem)
        sg.save(sg.trim(motion, 0.0, 0.8), folder / "clips" / name)
    Builder(folder / "lib", [folder / "clips"]).run()
    # copies know the clips beside them, as these are no longer where they were
    return folder.rename(folder.with_name("parked"))


@pytest.fixture
def desk(_made: Path, tmp_path: Path) -> Desk:
    """Return a copy of both."""
    shutil.copytree(_made / "clips", tmp_path / "clips")
    shutil.copy(_made / "lib", tmp_path / "lib")
    return Desk(tmp_path / "clips", tmp_path / "lib")
