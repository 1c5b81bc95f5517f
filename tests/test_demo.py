"""`make demo` makes what its page shows, also without captured clips; pictures are not blank and have their colours."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from examples.gallery import __main__ as demo
from examples.gallery import anything, compiling, documentation, explained
from examples.gallery.figures_2_to_6 import cut_and_repeated, swaying_walk
from examples.gallery.six_motions import built_in_links, joined
from matplotlib.image import imread
from PIL import Image as Pillow
from rich.console import Console

import segue as sg
from segue import clips
from segue.plausibility import examine, observe
from tests.view.chromium import chromium, needs_axe, needs_chromium, violations


class Page(HTMLParser):
    """Gathers what a page shows and links to, and its texts by element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.images: dict[str, str] = {}
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.paragraphs: list[str] = []
        self._open = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given["id"]} if "id" in given else set()
        if tag == "img":
            self.images[given["src"]] = given["alt"]
        if tag == "a":
            self.links.append(given["href"])
        if tag == "p":
            self._open = given.get("class") != "links"
            self.paragraphs += [""] if self._open else []

    def handle_endtag(self, tag: str) -> None:
        if tag == "p":
            self._open = False

    def handle_data(self, data: str) -> None:
        if self._open:
            self.paragraphs[-1] += data


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("gallery") / "demo"
    timings = demo.make(out, None, Console(file=io.StringIO()), small=True)
    assert [timing.paper for timing in timings] == [72.0, 20.0]
    assert [timing.joints for timing in timings] == [44, 9]
    return out


@pytest.fixture(scope="module")
def page(made: Path) -> Page:
    return Page((made / "index.html").read_text(encoding="utf-8"))


@needs_axe
@needs_chromium
def test_axe_finds_no_violation_on_the_page(made: Path) -> None:
    with chromium() as browser:
        page = browser.new_page()
        page.goto((made / "index.html").as_uri())
        assert violations(page) == {}


def test_the_page_names_files_that_are_there_and_every_file_is_named(made: Path, page: Page) -> None:
    named = {*page.images, *(link for link in page.links if not link.startswith("#"))}
    for name in named:
        assert re.fullmatch(r"[\w.-]+", name), "links are relative, within the folder"
        assert (made / name).stat().st_size > 100, name
    assert {path.name for path in made.iterdir()} == named | {"index.html", "timings.png"}
    assert {link.removeprefix("#") for link in page.links if link.startswith("#")} <= page.ids


def test_every_figure_of_the_paper_is_there(made: Path, page: Page) -> None:
    for start in ("figure_2", "figure_3", "figure_6", "figure_7", "figure_8", "figure_9", "figure_10", "animation"):
        assert any(name.startswith(start) for name in page.images), start
    for name in clips.NAMES:
        assert {f"clip_{name}.png"} <= page.images.keys()
        assert {f"{name}.bvh", f"{name}.glb"} <= set(page.links)
    assert len([link for link in page.links if link.endswith(".html")]) >= 7
    assert all(page.images.values()), "every picture is described"


def test_captions_are_two_sentences_and_the_table_has_both_times(made: Path, page: Page) -> None:
    text = (made / "index.html").read_text(encoding="utf-8")
    assert text.count('<p class="paper">') == text.count("<section")
    assert all(paragraph.strip().endswith(".") for paragraph in page.paragraphs)
    assert ">72 s<" in text
    assert ">20 s<" in text
    assert "http" not in text, "nothing is fetched"


def test_pictures_are_not_blank(made: Path, page: Page) -> None:
    for name in page.images:
        if name.endswith(".png"):
            image = imread(made / name)[..., :3]
            assert image.std() > 0.02, name
            assert (image < 0.7).any(axis=2).mean() > 0.003, name


def coloured(path: Path) -> np.ndarray:
    image = np.round(255 * imread(path)[..., :3]).astype(int)
    return image[np.ptp(image, axis=2) > 60]


def test_colours_are_those_of_the_paper(made: Path) -> None:
    body = coloured(made / "figure_8_transition.png")
    assert (body[:, 2] > body[:, 0] + 40).sum() > 100, "blue"
    assert (body[:, 0] > body[:, 2] + 40).sum() > 100, "red"
    arm = coloured(made / "figure_9_salute.png")
    assert (arm[:, 1] >= np.maximum(arm[:, 0], arm[:, 2])).mean() > 0.95, "green"


@pytest.mark.parametrize("name", ["animation.webp", "figure_8_transition.gif", "figure_9_salute.gif"])
def test_animations_last_as_long_as_their_motions(name: str, made: Path) -> None:
    motion = sg.load(made / f"{Path(name).stem}.bvh")
    with Pillow.open(made / name) as film:
        total = 0
        for k in range(film.n_frames):
            film.seek(k)
            film.load()
            total += film.info["duration"]
    assert total == pytest.approx(1000 * motion.duration, abs=250)
    assert film.n_frames > 5 * motion.duration * 0.8


def test_the_six_motions_are_joined_without_a_fault() -> None:
    motion = joined(built_in_links())
    fills = motion.fills
    assert len(fills) == 5
    assert all(fill.stop - fill.start == pytest.approx(0.6) for fill in fills)
    seen = observe(motion)
    for fill in fills:
        assert examine(seen, fill.start - 0.15, fill.stop + 0.15).problems() == []


def test_a_walk_that_is_cut_and_repeated_jumps_and_a_cycle_does_not() -> None:
    walk = swaying_walk()
    cycle = sg.make_loop(walk)
    raw, endless = cut_and_repeated(walk, cycle, 2), sg.repeat(cycle, 2)
    seam = 0.5 * raw.duration
    around = raw.start + seam + np.array([-1e-4, 1e-4])
    jumps = [np.degrees(np.ptp(motion.at(around).hinge("right_elbow_flexion"))) for motion in (raw, endless)]
    assert jumps[0] > 1.0
    assert jumps[1] < 0.1
    roots = raw.at(around).root
    assert np.linalg.norm(np.diff(roots, axis=0)[0, [0, 2]]) < 0.01


def test_a_stopped_demo_says_so_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(mocap: Path | None) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "exhibits", stop)
    monkeypatch.setattr("sys.argv", ["demo", "--out", str(tmp_path / "out")])
    with pytest.raises(SystemExit) as left:
        demo.main()
    assert left.value.code == 130
    assert "Stopped" in capsys.readouterr().out


def test_a_folder_that_cannot_be_made_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("sys.argv", ["demo", "--out", str(tmp_path / "file" / "out")])
    with pytest.raises(SystemExit) as left:
        demo.main()
    assert left.value.code == 2
    assert "segue: " in capsys.readouterr().out


def test_a_folder_of_captured_clips_must_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["demo", "--out", str(tmp_path / "out"), "--mocap", str(tmp_path / "none")])
    with pytest.raises(SystemExit) as left:
        demo.main()
    assert left.value.code == 2
    assert "no such folder" in capsys.readouterr().out
    assert not (tmp_path / "out").exists()


def test_the_last_line_says_where_to_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "exhibits", lambda mocap: iter(()))
    monkeypatch.setattr("sys.argv", ["demo", "--small", "--out", str(tmp_path / "out")])
    demo.main()
    last = capsys.readouterr().out.rstrip().splitlines()[-1]
    assert last == f"Look at {tmp_path / 'out' / 'index.html'}"


def test_compiling_ends_the_process_that_it_started(monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[subprocess.Popen[bytes]] = []

    class Beside(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *given: object, **options: object) -> None:
            super().__init__(*given, **options)  # type: ignore[call-overload]
            began.append(self)

    def stop() -> None:
        raise KeyboardInterrupt

    compiling.use_solver()
    monkeypatch.setattr(compiling.subprocess, "Popen", Beside)
    monkeypatch.setattr(compiling, "_use_fit_and_renderer", stop)
    with pytest.raises(KeyboardInterrupt):
        compiling.compile_kernels(lambda what, share: None)
    assert [process.poll() is None for process in began] == [False]


def test_the_documentation_has_its_pictures_and_they_are_small() -> None:
    folder = Path(__file__).parents[1] / "docs" / "pictures"
    for name in (*documentation.PICTURES, "cross_fade.webp"):
        assert 5_000 < (folder / name).stat().st_size < 200_000, name
    for name in (*explained.PICTURES, "walk_to_anything.webp"):
        assert 5_000 < (folder / name).stat().st_size < 300_000, name


def test_a_walk_becomes_anything_at_random_times() -> None:
    made = anything.transitions()
    assert len(made) == len(sg.clips.NAMES) - 1
    for title, motion in made.items():
        (fill,) = motion.fills
        report = sg.check(motion, start=fill.start, stop=fill.stop)
        assert not report.faults, title
        assert report.measures.slide.largest < 0.015, title


def test_the_simulation_is_compiled_in_a_process_that_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mujoco", reason="the physics engine is an optional extra")
    began: list[list[str]] = []

    class Beside(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, command: list[str], **options: object) -> None:
            began.append(command[1:])
            super().__init__([sys.executable, "-c", "import time; time.sleep(600)"], **options)  # type: ignore[call-overload]
            processes.append(self)

    processes: list[subprocess.Popen[bytes]] = []
    monkeypatch.setattr(compiling.subprocess, "Popen", Beside)
    with compiling.compiling_the_simulation():
        assert began == [["-m", "examples.gallery.compiling", "simulation"]]
        assert processes[0].poll() is None
    assert processes[0].poll() is not None
