"""A small folder of clips and the library of it, made once: tests work on copies."""

from __future__ import annotations

import shutil
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

    def manifest(self) -> bytes:
        return (self.library / "library.jsonl").read_bytes()

    def shards(self) -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in (self.library / "shards").iterdir()}


@pytest.fixture(scope="session")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    (folder / "clips" / "more").mkdir(parents=True)
    for name in NAMES:
        motion = sg.clips.motion(Path(name).stem)
        sg.save(sg.clip(motion, 0.0, 0.8), folder / "clips" / name)
    Builder(folder / "lib", [folder / "clips"]).run()
    # copies know the clips beside them, as these are no longer where they were
    return folder.rename(folder.with_name("parked"))


@pytest.fixture
def desk(_made: Path, tmp_path: Path) -> Desk:
    """Return a copy of both."""
    shutil.copytree(_made / "clips", tmp_path / "clips")
    shutil.copytree(_made / "lib", tmp_path / "lib")
    return Desk(tmp_path / "clips", tmp_path / "lib")
