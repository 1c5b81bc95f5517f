"""The documentation is true and readable.

Its code and commands run, its links lead somewhere, it names everything there is, and its sentences keep simple rules.
"""

from __future__ import annotations

import importlib
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from benchmarks import Row, _figures
from examples.gallery import architecture

import segue as sg
from segue import clips
from segue.body.roles import load_map
from segue.cli import COMMANDS, main
from segue.io import files
from segue.io.ground import read_ground
from segue.keyframe.file import read_keyframes
from segue.language import Session, table
from segue.plausibility.thresholds import read_config
from segue.spacetime import objectives
from tests.support.sentences import Sentence, of_module, of_page, split

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = [README, *sorted(DOCS.rglob("*.md"))]
KEY = re.compile(r"\[([A-Z][A-Za-z]+\d{4}[a-z]*)(?:\]|, )")

# what a page may tell its reader to type besides `segue`, `make` and `python`, and no test can do
ELSEWHERE = ("pip install", "python3 -m venv", ". .venv/bin/activate")

STRANGE_MAP = 'pelvis = "pelvis"\nspine = ["torso"]\nhead = "head"\n'


def blocks(language: str) -> list[pytest.param]:
    """Return every code block of a language in the documentation, under its page and line."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in re.finditer(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, match.start()) + 1
            found.append(pytest.param(match[1], id=f"{page.relative_to(ROOT)}:{line}"))
    return found


@pytest.fixture
def _nothing_stays_registered() -> Iterator[None]:
    with (
        mock.patch.dict(files._readers),
        mock.patch.dict(files._writers),
        mock.patch.dict(objectives._objectives),
        mock.patch.dict(table._functions),
    ):
        yield


@pytest.mark.usefixtures("_nothing_stays_registered")
@pytest.mark.parametrize("code", blocks("python"))
def test_every_python_block_runs(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "documentation", "exec"), {"__name__": "documentation"})


# tests/language runs the blocks of docs/language.md
@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "language.md"], ids=lambda page: page.name)
def test_every_block_of_the_language_runs(page: Path, tmp_path: Path) -> None:
    session = Session(tmp_path, say=lambda text: None)
    for block in re.findall(r"^```segue\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        session.run(block, page.name)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that pages speak of: clips under the names of what they show, and scripts."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "clips").mkdir()
    for name in ("walk", "run", "kick", "wave"):
        sg.save(clips.clip(name), folder / f"{name}.bvh")
    sg.save(clips.walk, folder / "walk.glb")
    sg.save(clips.walk, folder / "stroll.glb")
    sg.save({"Walk": clips.walk, "Sit": clips.reach}, folder / "hero.glb")
    shutil.copy(folder / "walk.bvh", folder / "clips")
    shutil.copy(folder / "walk.bvh", folder / "strange.bvh")
    (folder / "map.toml").write_text(STRANGE_MAP, encoding="utf-8")
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "examples" / "12_greetings.segue", folder / "dance.segue")
    shutil.copytree(ROOT / "src" / "segue" / "dance" / "gestures" / "shipped", folder / "gestures")
    joined = sg.transition(clips.walk, clips.run, 0.6, leave=1.9, enter=0.2)
    sg.save(joined, folder / "walk_run.bvh")
    sg.save(clips.walk, folder / "whole.npz", format="amass")
    with np.load(folder / "whole.npz") as arrays:  # files of AMASS have no bone lengths
        np.savez(folder / "amass_walk.npz", **{name: arrays[name] for name in arrays if name != "rest_joints"})
    return folder


@pytest.mark.parametrize("block", blocks("sh"))
def test_every_command_works(
    block: str, desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shutil.copytree(desk, tmp_path / "desk")
    monkeypatch.chdir(folder)
    lines = [line for line in block.splitlines() if line.strip() and not line.startswith("#")]
    assert lines
    for line in lines:
        words = shlex.split(re.sub(r"(^|\s)#.*", "", line))
        if words[0] == "segue" and words[1] != "repl":
            monkeypatch.setattr("sys.argv", words)
            monkeypatch.setattr("warnings.showwarning", warnings.showwarning)
            with pytest.raises(SystemExit) as left:
                main()
            assert not left.value.code, f"{line}\n{capsys.readouterr().err}"
        elif words[0] == "make":
            assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE), line
        elif words[0] == "python" and words[1].startswith("examples/"):
            assert (ROOT / words[1]).exists(), line  # tests/test_examples.py runs it
        elif words[:3] == ["python", "-m", "benchmarks"]:
            assert all((ROOT / "benchmarks" / f"{name}.py").exists() for name in words[3:] if name[0] != "-"), line
        elif words[0] in ("for", "mkdir") or words == ["segue", "repl"]:
            in_a_shell(line)
        else:
            assert line.startswith(ELSEWHERE), f"nothing is known of the command: {line}"


def test_the_first_transition_prints_what_its_page_shows(
    desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (DOCS / "first_steps.md").read_text(encoding="utf-8")
    found = re.search(
        r"^(segue transition walk.bvh run.bvh [^\n]*)\n```.*?```text\n(.*?)```", text, re.DOTALL | re.MULTILINE
    )
    assert found
    monkeypatch.chdir(shutil.copytree(desk, tmp_path / "desk"))
    monkeypatch.setattr("sys.argv", shlex.split(found[1]))
    with pytest.raises(SystemExit):
        main()
    printed = "\n".join(line.rstrip() for line in capsys.readouterr().out.splitlines())
    assert re.sub(r"[\d.]+ ms", "", printed) == re.sub(r"[\d.]+ ms", "", found[2].strip())


def in_a_shell(line: str) -> None:
    """Run a line with no input, as a shell would, with `segue` that of this Python."""
    command = f'segue() {{ "{sys.executable}" -m segue "$@"; }}; {line}'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, f"{line}\n{done.stderr}"


def test_benchmarks_that_pages_name_are_there() -> None:
    for page in PAGES:
        for names in re.findall(r"`python -m benchmarks ([a-z_ ]+)`", page.read_text(encoding="utf-8")):
            for name in names.split():
                assert (ROOT / "benchmarks" / f"{name}.py").exists(), f"{page.name}: {name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_figures_are_those_that_benchmarks_wrote(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert _figures.with_figures(text) == text, "run: python -m benchmarks --pages"


def test_every_file_of_figures_has_a_benchmark() -> None:
    for path in _figures.FOLDER.glob("*.json"):
        record = _figures.read(path.stem)
        assert record["benchmark"] == path.stem
        assert (ROOT / "benchmarks" / f"{path.stem}.py").exists(), path.name
        assert record["version"] <= sg.__version__


def test_results_name_every_benchmark() -> None:
    text = (DOCS / "results.md").read_text(encoding="utf-8")
    names = {path.stem for path in (ROOT / "benchmarks").glob("[a-z]*.py")}
    assert not {name for name in names if f"`{name}`" not in text}


def test_figures_in_pages_name_benchmarks() -> None:
    for page in PAGES:
        for name in _figures.marked(page.read_text(encoding="utf-8")):
            assert (ROOT / "benchmarks" / f"{name}.py").exists(), f"{page.name}: {name}"


def test_figures_go_from_a_benchmark_into_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_figures, "FOLDER", tmp_path)
    rows = [Row("walk to run", "2.1 ms", 1.234, 2.0), Row("all pairs", "9 of 1,000"), Row("  worst", "-0.5 cm")]
    _figures.save("speed", "How fast.", rows)
    table_of_old = "<!-- figures: speed -->\nstale\n<!-- /figures -->\n"
    old = table_of_old + "in <!-- figure: speed: all pairs -->1 of 10<!-- /figure -->."
    new = _figures.with_figures(old)
    assert "| walk to run | 2.1 ms | 1.23 | 2 |" in new
    assert "in <!-- figure: speed: all pairs -->9 of 1,000<!-- /figure -->." in new
    assert "stale" not in new
    assert _figures.with_figures(new) == new
    second = _figures.with_figures("<!-- figure: speed: all pairs #2 --><!-- /figure -->")
    assert second == "<!-- figure: speed: all pairs #2 -->1,000<!-- /figure -->"
    inner = _figures.with_figures("<!-- figure: speed: all pairs / worst #1 --><!-- /figure -->")
    assert inner == "<!-- figure: speed: all pairs / worst #1 -->-0.5<!-- /figure -->"
    ratio = _figures.with_figures("<!-- figure: speed: walk to run #ratio --><!-- /figure -->")
    assert ratio == "<!-- figure: speed: walk to run #ratio -->1.23<!-- /figure -->"
    absent = "<!-- figure: graph: seams #1 -->828<!-- /figure -->"
    assert _figures.with_figures(absent) == absent
    assert _figures.marked(absent + table_of_old) == {"graph", "speed"}
    everything = _figures.with_figures("<!-- all figures -->\nold\n<!-- /all figures -->")
    assert "## Speed\n\nHow fast.\n" in everything
    assert "| &emsp;worst | -0.5 cm |" in everything
    with pytest.raises(KeyError, match="no row 'nothing'"):
        _figures.with_figures("<!-- figure: speed: nothing --><!-- /figure -->")


def test_some_rows_of_a_benchmark_are_measured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_figures, "FOLDER", tmp_path)
    _figures.update("speed", "How fast.", [Row("walk", "2 ms", 1.5, 1.0), Row("run", "3 ms")])
    _figures.update("speed", "How fast.", [Row("run", "4 ms"), Row("kick", "5 ms")])
    rows = _figures.read("speed")["rows"]
    assert [(row["subject"], row["figure"]) for row in rows] == [("walk", "2 ms"), ("run", "4 ms"), ("kick", "5 ms")]
    assert (rows[0]["ratio"], rows[0]["target"]) == (1.5, 1.0)


READERS: dict[str, Callable[[Path], object]] = {
    "Joint maps": load_map,
    "Ground files": read_ground,
    "Keyframe files": lambda path: read_keyframes(path, lambda name: sg.clips.motion(name.removeprefix("clips."))),
    "Thresholds": read_config,
}


@pytest.mark.parametrize("heading", READERS)
def test_every_file_of_the_schemas_can_be_read(heading: str, tmp_path: Path) -> None:
    text = (DOCS / "schemas.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {heading}.*?^```toml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert found
    path = tmp_path / "file.toml"
    path.write_text(found[1], encoding="utf-8")
    READERS[heading](path)
    path.write_text(found[1].replace(" = ", "_unknown = ", 1), encoding="utf-8")
    with pytest.raises(sg.SegueError, match="_unknown"):
        READERS[heading](path)


def test_the_readme_names_every_target_and_command() -> None:
    text = README.read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "test", "docs", "bench", "lint"):
        assert f"make {target}" in text
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
    named = set(re.findall(r"^segue (\w+)", text, re.MULTILINE))
    known = set(COMMANDS)
    assert named <= known


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as Markdown makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)", page.read_text(encoding="utf-8")):
        there = page.parent / target if target else page
        assert there.exists(), target
        if anchor:
            assert anchor in anchors(there), f"{target}#{anchor}"


def test_the_picture_of_the_architecture_has_every_package() -> None:
    drawn = architecture.drawn()
    assert (DOCS / "pictures" / "architecture.svg").read_text(encoding="utf-8") == drawn
    words = set(re.findall(r"\w+", drawn))
    assert (
        set(re.findall(r"^\| `(\w+)` \|", (DOCS / "architecture.md").read_text(encoding="utf-8"), re.MULTILINE))
        <= words
    )


def test_every_page_can_be_reached() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^(?:[\w ]+<)?([\w/*]+)>?$", index, re.MULTILINE)
    for page in DOCS.glob("*.md"):
        known = page.stem == "index" or any(fnmatch(page.stem, name) for name in listed)
        assert known, f"{page.name} is not in docs/index.md"


def test_every_example_is_listed() -> None:
    text = (DOCS / "examples.md").read_text(encoding="utf-8")
    for example in [*(ROOT / "examples").glob("[0-9]*.py"), *(ROOT / "examples").glob("*.segue")]:
        assert f"(../examples/{example.name})" in text


def test_every_reference_is_listed() -> None:
    listed = set(re.findall(r"\*\*\[(\w+)\]\*\*", (DOCS / "references.md").read_text(encoding="utf-8")))
    cited: set[str] = set()
    for file in [*(ROOT / "src").rglob("*.py"), *PAGES]:
        cited |= set(KEY.findall(file.read_text(encoding="utf-8")))
    assert cited <= listed
    assert listed <= cited


# the command line is not for programs
PACKAGES = sorted({path.parent.name for path in (ROOT / "src" / "segue").glob("*/__init__.py")} - {"cli"})


@pytest.mark.parametrize("package", ["", *PACKAGES])
def test_every_public_name_is_in_the_reference(package: str) -> None:
    module = importlib.import_module(f"segue.{package}" if package else "segue")
    reference = "\n".join(page.read_text(encoding="utf-8") for page in (DOCS / "api").glob("*.md"))
    if f"automodule:: {module.__name__}\n   :members:" in reference:
        return
    entries = re.findall(r"auto(?:class|function|data|module):: ([\w.]+)", reference)
    described = {_what(entry) for entry in entries}
    for name in module.__all__:
        value = getattr(module, name)
        known = id(value) in described or any(entry.endswith(f".{name}") for entry in entries)
        assert known, f"{module.__name__}.{name} is not in docs/api"


def test_every_name_of_the_front_door_has_an_example() -> None:
    page = (DOCS / "api" / "segue.md").read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL))
    without = [name for name in sg.__all__ if not re.search(rf"\bsg\.{name}\b", examples)]
    assert not without


def _what(entry: str) -> int:
    """Return which object an entry of the reference describes; it must exist."""
    module, _, name = entry.rpartition(".")
    try:
        return id(getattr(importlib.import_module(module), name))
    except (ImportError, AttributeError):
        return id(importlib.import_module(entry))


def test_the_documentation_builds_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="Sphinx is not installed: pip install 'segue[docs]'")
    pytest.importorskip("myst_parser", reason="MyST-Parser is not installed: pip install 'segue[docs]'")
    pytest.importorskip("furo", reason="the theme Furo is not installed: pip install 'segue[docs]'")
    pytest.importorskip("latex2mathml", reason="latex2mathml is not installed: pip install 'segue[docs]'")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-b", "html", str(DOCS), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    method = (tmp_path / "method.html").read_text(encoding="utf-8")
    assert "<math" in method
    assert "cdn" not in method.lower()
    assert 'href="api/segue.html"' in (tmp_path / "index.html").read_text(encoding="utf-8")
    commands = (tmp_path / "commands.html").read_text(encoding="utf-8")
    assert all(f"segue {name}" in commands for name in COMMANDS)
    assert "--duration" in commands
    for page in ("first_steps", "tutorial_loop"):
        (viewer,) = re.findall(r'<iframe class="viewer" src="([^"]+)"', (tmp_path / f"{page}.html").read_text("utf-8"))
        assert "<canvas" in (tmp_path / viewer).read_text(encoding="utf-8"), page
    functions = (tmp_path / "functions.html").read_text(encoding="utf-8")
    assert all(f">{name}</span></code>" in functions for name in table.FUNCTIONS)


def written(page: Path, row: str) -> list[str]:
    """Return the numbers of the row of a table that begins with some words, as they are written."""
    line = re.search(rf"^\| {re.escape(row)} \|(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert line, row
    return re.findall(r"\d+(?:\.\d+)?", line[1])


def numbers(page: Path, row: str) -> list[float]:
    return [float(number) for number in written(page, row)]


def check_last_digit(number: str, measured: float) -> None:
    """Check a written number to one unit of its last digit: what another processor may round otherwise."""
    assert measured == pytest.approx(float(number), rel=0, abs=10.0 ** -len(number.partition(".")[2]))


def slide_cm(motion: sg.Motion) -> float:
    (fill,) = motion.fills
    worst = sg.check(motion, start=fill.start - 0.1, stop=fill.stop + 0.1).measures.slide.worst
    return 0.0 if worst is None else 100 * worst.slide


@pytest.mark.parametrize(("name", "leave", "enter"), [("run", 1.9, 0.2), ("kick", 2.8, 0.7)])
def test_what_durations_cost_is_told_truly(name: str, leave: float, enter: float) -> None:
    page = DOCS / "choosing.md"
    durations = numbers(page, "duration")
    made = [
        sg.transition(clips.walk, clips.motion(name), each, leave=leave, enter=enter, prior="none")
        for each in durations
    ]
    costs = [each.fills[0].energy / duration for each, duration in zip(made, durations, strict=True)]
    reference = costs[durations.index(0.6)]
    assert numbers(page, f"walk to {name}: cost") == pytest.approx([cost / reference for cost in costs], rel=0.1)
    for number, motion in zip(written(page, f"walk to {name}: slide"), made, strict=True):
        check_last_digit(number, slide_cm(motion))


def test_where_to_enter_is_told_truly() -> None:
    page = DOCS / "choosing.md"
    moments = numbers(page, "run entered at")
    joins = [sg.Join(clips.walk, clips.run, 0.6, leave=1.9, enter=moment) for moment in moments]
    for number, motion in zip(written(page, "slide"), sg.transitions(joins, prior="none"), strict=True):
        check_last_digit(number, slide_cm(motion))


def test_arguments_in_prose_become_lists_in_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sphinx", reason="Sphinx is not installed: pip install 'segue[docs]'")
    monkeypatch.syspath_prepend(DOCS)
    docstrings = importlib.import_module("extensions.docstrings")
    said = "Made by hand, [Rose1996]. start, stop: in s; may be `a: b`. mode: pinned* or free."
    assert docstrings.laid_out(["First line.", "", said], {"start", "stop", "mode", "a"}) == [
        "First line.",
        "",
        "Made by hand, :doc:`[Rose1996] </references>`.",
        "",
        "- **start**, **stop**: in s; may be `a: b`.",
        "- **mode**: pinned\\* or free.",
        "",
    ]
    assert docstrings.laid_out(["Say so:", "", "    a = b_"], set()) == ["Say so:", "", "::", "", "    a = b_", ""]


# every text of ours that a reader meets
READ = sorted({*PAGES, *ROOT.glob("*.md"), *(ROOT / "training").glob("*.md")})
MODULES = sorted(
    file for folder in ("src", "examples", "benchmarks", "training") for file in (ROOT / folder).rglob("*.py")
)


def sentences(files: list[Path]) -> list[Sentence]:
    found = []
    for file in files:
        read = of_page if file.suffix == ".md" else of_module
        found += read(file, str(file.relative_to(ROOT)))
    return found


@pytest.fixture(scope="module")
def of_pages() -> list[Sentence]:
    return sentences(READ)


@pytest.fixture(scope="module")
def all_sentences(of_pages: list[Sentence]) -> list[Sentence]:
    return of_pages + sentences(MODULES)


def listed(found: list[Sentence]) -> str:
    return "\n".join(f"{each.where}: {each.text}" for each in found)


def test_no_sentence_has_more_than_35_words(all_sentences: list[Sentence]) -> None:
    long = [each for each in all_sentences if each.words > 35]
    assert not long, listed(long)


def test_few_sentences_of_pages_have_more_than_30_words(of_pages: list[Sentence]) -> None:
    long = [each for each in of_pages if each.words > 30]
    assert len(long) <= 20, listed(long)


def test_words_begin_with_a_noun(all_sentences: list[Sentence]) -> None:
    clauses = [each for each in all_sentences if each.begins_with_a_clause]
    assert not clauses, listed(clauses)


def test_words_report_and_do_not_tell(all_sentences: list[Sentence]) -> None:
    riddles = [each for each in all_sentences if each.is_a_riddle]
    assert not riddles, listed(riddles)


def test_words_are_counted_as_a_reader_does() -> None:
    text = (
        "Set `a. B` to 3 m, see [the page](x.md). `fill` fills it (cf. A). start, stop: in s. What is left out is told."
    )
    found = [Sentence("", each) for each in split(text)]
    assert [each.words for each in found] == [8, 5, 4, 6]
    assert [each.begins_with_a_clause for each in found] == [False, False, False, True]
    assert [each.is_a_riddle for each in found] == [False, False, False, True]
    assert not Sentence("", "What does it do?").begins_with_a_clause
    assert not Sentence("", "Return None if there is none.").is_a_riddle
