"""The documentation is true: its code runs, its commands exist, its links and references lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from segue.cli import app

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
KEY = re.compile(r"\[([A-Z][A-Za-z]+\d{4}[a-z]*)\]")


def blocks(language: str) -> list[pytest.param]:
    """Return every code block of a language in the documentation, under its page and line."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in re.finditer(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, match.start()) + 1
            found.append(pytest.param(match[1], id=f"{page.name}:{line}"))
    return found


@pytest.mark.parametrize("code", blocks("python"))
def test_every_python_block_runs(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "documentation", "exec"), {"__name__": "documentation"})


def test_the_readme_names_commands_that_exist() -> None:
    named = set(re.findall(r"^    segue (\w+)", PAGES[0].read_text(encoding="utf-8"), re.MULTILINE))
    known = {command.name or command.callback.__name__ for command in app.registered_commands}
    assert named
    assert named <= known
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "test", "bench", "lint"):
        assert f"make {target}" in PAGES[0].read_text(encoding="utf-8")
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_every_reference_is_listed() -> None:
    listed = set(re.findall(r"\*\*\[(\w+)\]\*\*", (ROOT / "docs" / "references.md").read_text(encoding="utf-8")))
    cited: set[str] = set()
    for file in [*(ROOT / "src").rglob("*.py"), *PAGES]:
        cited |= set(KEY.findall(file.read_text(encoding="utf-8")))
    assert cited <= listed
    assert listed <= cited
