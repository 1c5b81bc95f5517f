"""A few mutated inputs of every format, the same ones every time, and every input that was found to be mishandled."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.formats import FORMATS, case
from tests.fuzz.oracle import judged

FOUND = sorted(path for path in (Path(__file__).parent / "findings").glob("*/*") if path.is_file())
SEED = 1996


@pytest.mark.parametrize("name", FORMATS)
def test_mutated_inputs_give_a_value_or_one_sentence(name: str, request: pytest.FixtureRequest) -> None:
    refused = 0
    for number in range(FORMATS[name].quick):
        data = case(name, SEED, number)
        outcome = judged(FORMATS[name].attempt, data)
        refused += outcome.refused
        if outcome.finding is not None:
            out = request.config.rootpath / "out" / "fuzz"
            out.mkdir(parents=True, exist_ok=True)
            path = out / f"{name}-{SEED}-{number}{FORMATS[name].suffix}"
            path.write_bytes(data)
            pytest.fail(f"seed {SEED}, case {number}, input in {path}: {outcome.kind}\n{outcome.finding}")
    assert refused > 0  # the mutations do harm


@pytest.mark.parametrize("name", FORMATS)
def test_an_input_to_mutate_is_valid(name: str) -> None:
    made = FORMATS[name]
    outcome = judged(made.attempt, made.seeds()[0])
    assert outcome.finding is None
    assert not outcome.refused


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_was_found_stays_mended(path: Path) -> None:
    outcome = judged(FORMATS[path.parent.name].attempt, path.read_bytes())
    assert outcome.finding is None, outcome.finding
