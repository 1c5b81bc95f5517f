"""A library of built-in clips, and its graph, made once for all tests of graphs."""

from __future__ import annotations

from pathlib import Path

import pytest

import segue as sg
from segue.graph import BuildOptions
from segue.library import Builder
from tests.cli.conftest import command as command

CLIPS = ("reach", "salute", "stand", "wave")


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("graph")
    (folder / "clips").mkdir()
    for name in CLIPS:
        sg.save(sg.clips.motion(name), folder / "clips" / f"{name}.bvh")
    Builder(folder / "my.lib", [folder / "clips"]).run()
    return folder / "my.lib"


@pytest.fixture(scope="session")
def graph_file(library: Path) -> Path:
    path = library.with_name("my.graph")
    sg.Graph.build(library, path, options=BuildOptions(tries=2))
    return path


@pytest.fixture
def graph(graph_file: Path) -> sg.Graph:
    return sg.Graph(graph_file)
