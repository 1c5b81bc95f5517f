"""The simple rules of how Segue is written, held for pages, docstrings, help, errors, examples and benchmarks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.sentences import Sentence, of_module, of_page, split

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "training").glob("*.md")])
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
    return sentences(PAGES)


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


def test_no_sentence_begins_with_a_subject_clause(all_sentences: list[Sentence]) -> None:
    clauses = [each for each in all_sentences if each.begins_with_a_clause]
    assert not clauses, listed(clauses)


def test_programs_report_and_do_not_tell(all_sentences: list[Sentence]) -> None:
    riddles = [each for each in all_sentences if each.is_a_riddle]
    assert not riddles, listed(riddles)


def test_sentences_are_split_and_counted_as_a_reader_does() -> None:
    text = (
        "Set `a. B` to 3 m, see [the page](x.md). `fill` fills it (cf. A). start, stop: in s. What is left out is told."
    )
    found = [Sentence("", each) for each in split(text)]
    assert [each.words for each in found] == [8, 5, 4, 6]
    assert [each.begins_with_a_clause for each in found] == [False, False, False, True]
    assert [each.is_a_riddle for each in found] == [False, False, False, True]
    assert not Sentence("", "What does it do?").begins_with_a_clause
    assert not Sentence("", "Return None if there is none.").is_a_riddle
