"""Files from a page: whole ones appear, all others leave nothing behind."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.errors import ArgumentError
from segue.language.workspace import Workspace
from segue.serve.requests import Upload
from segue.serve.uploads import LARGEST, PART, Uploads, suffixes


def sent(uploads: Uploads, path: str, data: bytes, part: int) -> str:
    """Send a file in parts and return its name."""
    name = ""
    for offset in range(0, len(data), part):
        piece = base64.b64encode(data[offset : offset + part]).decode()
        answer = uploads.take(Upload(path, len(data), offset, piece, request=offset + 1))
        assert answer.request == offset + 1
        assert answer.received == min(offset + part, len(data))
        name = answer.path
    return name


@given(st.binary(min_size=1, max_size=300), st.integers(1, 120))
def test_a_file_arrives_as_it_was_sent(tmp_path_factory: pytest.TempPathFactory, data: bytes, part: int) -> None:
    folder = tmp_path_factory.mktemp("uploads")
    assert sent(Uploads(Workspace(folder)), "walk.bvh", data, part) == "walk.bvh"
    assert (folder / "walk.bvh").read_bytes() == data
    assert len(list(folder.iterdir())) == 1


def test_a_name_that_is_taken_is_never_overwritten(tmp_path: Path) -> None:
    uploads = Uploads(Workspace(tmp_path))
    names = [sent(uploads, "walk.bvh", text, 2) for text in (b"first", b"second", b"third")]
    assert names == ["walk.bvh", "walk-2.bvh", "walk-3.bvh"]
    assert [(tmp_path / name).read_bytes() for name in names] == [b"first", b"second", b"third"]


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("../walk.bvh", "outside"),
        ("/etc/walk.bvh", "outside"),
        ("run.sh", "must end in one of"),
        ("page.html", "must end in one of"),
        (".hidden.bvh", "hidden"),
        (".git/walk.bvh", "there is no folder|hidden"),
        ("none/walk.bvh", "there is no folder"),
    ],
)
def test_other_names_are_refused(tmp_path: Path, path: str, sentence: str) -> None:
    with pytest.raises(ArgumentError, match=sentence):
        sent(Uploads(Workspace(tmp_path)), path, b"data", 4)
    assert not list(tmp_path.iterdir())


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (folder / "away").symlink_to(outside, target_is_directory=True)
    with pytest.raises(ArgumentError, match="outside"):
        sent(Uploads(Workspace(folder)), "away/walk.bvh", b"data", 4)
    assert not list(outside.iterdir())


@pytest.mark.parametrize(
    "parts",
    [
        [Upload("a.bvh", 0, 0, "")],
        [Upload("a.bvh", LARGEST + 1, 0, "AAAA")],
        [Upload("a.bvh", 4, 0, "no base64!")],
        [Upload("a.bvh", 4, 0, base64.b64encode(bytes(PART + 1)).decode())],
        [Upload("a.bvh", 4, 3, "AAAA")],
        [Upload("a.bvh", 4, 0, "AAAA"), Upload("a.bvh", 4, 0 + 2, "AAAA")],
        [Upload("a.bvh", 4, 0, "AAAA"), Upload("a.bvh", 4, 3, "AAAA")],
        [Upload(f"{name}.bvh", 9, 0, "AAAA") for name in "abcde"],
    ],
)
def test_parts_that_do_not_fit_are_refused_and_leave_nothing(tmp_path: Path, parts: list[Upload]) -> None:
    uploads = Uploads(Workspace(tmp_path))
    for part in parts[:-1]:
        uploads.take(part)
    with pytest.raises(ArgumentError):
        uploads.take(parts[-1])
    uploads.close()
    assert not list(tmp_path.iterdir())


def test_pages_may_send_what_scripts_read() -> None:
    assert {".bvh", ".glb", ".segue", ".toml"} <= set(suffixes())
