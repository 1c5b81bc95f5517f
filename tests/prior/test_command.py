"""`segue prior`: describe a prior, and train one."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner

import segue as sg
from segue.cli import app
from segue.errors import ArgumentError, FileFormatError
from segue.library import Library
from segue.prior import LearnedPrior

runner = CliRunner()
HAS_TORCH = find_spec("torch") is not None


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    if HAS_TORCH:
        import torch

        torch.set_num_threads(1)  # tests share the processor


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clips")
    for name in ("walk", "run"):
        sg.save(getattr(sg.clips, name), folder / f"{name}.bvh")
    Library.build(folder, folder / "clips.lib")
    return folder / "clips.lib"


def test_info_describes_the_shipped_prior() -> None:
    told = runner.invoke(app, ["prior", "info"])
    assert told.exit_code == 0
    assert "6 layers of width 320" in told.output
    about = json.loads(runner.invoke(app, ["prior", "info", "--json"]).output)
    assert about["measures"]["30/10"]["path"] < 0.8
    assert about["minutes_of_motion"] > 300


def test_info_on_another_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "my.prior").write_text("no prior")
    failed = runner.invoke(app, ["prior", "info", str(tmp_path / "my.prior")])
    assert isinstance(failed.exception, FileFormatError)


@pytest.mark.skipif(HAS_TORCH, reason="PyTorch is installed")
def test_without_pytorch_training_names_the_extra(library: Path, tmp_path: Path) -> None:
    failed = runner.invoke(app, ["prior", "train", "--library", str(library), "-o", str(tmp_path / "my.prior")])
    assert isinstance(failed.exception, ArgumentError)
    assert "segue[train]" in str(failed.exception)


@pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed")
def test_training_writes_a_prior_that_proposes(library: Path, tmp_path: Path) -> None:
    path = tmp_path / "my.prior"
    command = ["prior", "train", "--library", str(library), "-o", str(path), "--steps", "2", "--layers", "1"]
    told = runner.invoke(app, [*command, "--width", "64"])
    assert told.exit_code == 0, told.exception
    assert [file.name for file in tmp_path.iterdir()] == ["my.prior"]
    assert LearnedPrior.read(path).about["steps"] == 2
    tuned = runner.invoke(app, [*command, "--from", str(path)])
    assert tuned.exit_code == 0, tuned.exception
    assert LearnedPrior.read(path).about["steps"] == 4


@pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed")
def test_a_width_that_heads_do_not_fit_is_refused(library: Path, tmp_path: Path) -> None:
    command = ["prior", "train", "--library", str(library), "-o", str(tmp_path / "my.prior"), "--width", "100"]
    assert isinstance(runner.invoke(app, command).exception, ArgumentError)
    assert not list(tmp_path.iterdir())
