"""Gaps of real motion filled from a library of other clips: how near to the truth, how much feet skate, and how fast.

Leave one person out: windows of each person of LAFAN1 are filled from clips of the others, with and without clips of
the same kind of action. Then a library of another skeleton, libraries that are tiny or do not suit, and the same take
outside the gap. L2P as in `inbetween`, as a ratio to slerp. The report gives subject2, which the recipe was tuned on, a
line of its own. `python -m benchmarks.library --all` fills every window.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from tests.support.inbetween_windows import GAPS, MOCAP

import segue as sg
from benchmarks import Row
from benchmarks._library_trials import ClipSource, Outcome, Trial, from_own, joined, read_takes, trials_of
from segue.filling import Prior
from segue.filling.prior import learned_prior
from segue.filling.together import TwoPriors
from segue.library import FrameIndex
from segue.library.guide import Guide

WINDOWS = 2  # of each clip
TUNED = "subject2"
ALL, OTHER_ACTIONS = "all clips of other persons", "none of the same action"
PROTOTYPE = {ALL: {5: 0.245, 15: 0.328, 30: 0.419}, OTHER_ACTIONS: {15: 0.40, 30: 0.49}}
HARMLESS = 1.005  # of the error without a library, within which a library that does not suit does no harm
SKATE = 0.5  # of the skating without a library, at 30 frames
SLOWEST = 0.1  # s for a gap of 30 frames
LARGEST = 250.0  # MB an hour

Choice = Callable[[ClipSource], Prior | None]


def main() -> list[Row]:
    """Measure on a few windows of every clip."""
    return measure(WINDOWS)


def measure(windows: int | None, gaps: Sequence[int] = GAPS) -> list[Row]:
    """Return the report on so many windows of each clip, all where None."""
    if not MOCAP.is_dir():
        return [Row("filling from a library", "skipped: no real clips, see SEGUE_MOCAP")]
    lafan1, cmu = read_takes("LAFAN1"), read_takes("CMU")
    rows = []
    for gap in gaps:
        trials = trials_of("LAFAN1", lafan1, gap, windows)
        rows += _persons(trials, lafan1, gap)
        rows += _with_learned(trials, lafan1, gap)
        rows += _unsuitable(trials, lafan1, cmu, gap)
        rows += _foreign(trials_of("CMU", cmu, gap, windows), lafan1, gap)
        rows += _own(trials, gap)
    return rows + _speed(lafan1)


def _persons(trials: list[Trial], takes: list[ClipSource], gap: int) -> list[Row]:
    """Leave one person out."""
    libraries = _of_other_persons(takes)
    rows = []
    for person, chosen in (
        ("all but the person tuned on", [trial for trial in trials if trial.take.person != TUNED]),
        (f"{TUNED}, tuned on", [trial for trial in trials if trial.take.person == TUNED]),
    ):
        slerp, plain = joined([trial.slerped() for trial in chosen]), joined([trial.plain for trial in chosen])
        for name, library in libraries.items():
            found = _outcome(chosen, library)
            subject, figure = f"{gap} frames, {person}: {name}", _figure(found, plain, slerp)
            target = PROTOTYPE[name].get(gap) if person.startswith("all") else None
            reached = None if target is None else target * slerp.distance.mean / found.distance.mean
            rows.append(Row(f"{subject}, as near as {target}" if target else subject, figure, reached, target and 1.0))
            if gap == max(GAPS) and name == ALL:
                rows.append(
                    Row(
                        f"{gap} frames, {person}: feet that rest skate at most {SKATE} of without a library",
                        f"{found.skate:.2f} against {plain.skate:.2f} cm a frame",
                        SKATE * plain.skate / found.skate,
                        1.0,
                    )
                )
    return rows


def _of_other_persons(takes: list[ClipSource]) -> dict[str, Choice]:
    known = _shelf(takes)
    return {
        ALL: lambda own: known(take.name for take in takes if take.person != own.person),
        OTHER_ACTIONS: lambda own: known(
            take.name for take in takes if take.person != own.person and take.action != own.action
        ),
    }


def _with_learned(trials: list[Trial], takes: list[ClipSource], gap: int) -> list[Row]:
    """Use the learned prior alone, and with a library, which must help or stay out."""
    learned = learned_prior()
    slerp = joined([trial.slerped() for trial in trials])
    alone = _outcome(trials, lambda _: learned)
    part = alone.distance.mean / slerp.distance.mean
    rows = [Row(f"{gap} frames: learned prior alone", f"L2P {part:.3f} of slerp ({len(alone.distance.values)} gaps)")]
    for name, library in _of_other_persons(takes).items():

        def both(own: ClipSource, library: Choice = library) -> Prior | None:
            guide = library(own)
            return learned if guide is None else TwoPriors(learned, guide)

        found = _outcome(trials, both)
        figure = f"L2P {found.distance.mean / slerp.distance.mean:.3f} of slerp"
        ratio = HARMLESS * alone.distance.mean / found.distance.mean
        rows.append(
            Row(f"{gap} frames: learned prior and a library, {name}, no worse than without", figure, ratio, 1.0)
        )
    return rows


def _unsuitable(trials: list[Trial], takes: list[ClipSource], cmu: list[ClipSource], gap: int) -> list[Row]:
    """Draw on little, and on what has nothing to do with it."""
    lafan1, foreign = _shelf(takes), _shelf(cmu)
    libraries: dict[str, Choice] = {
        "CMU's 2.7 minutes of another skeleton": lambda own: foreign(take.name for take in cmu),
        "one dance, for anything else": _other(lafan1, takes, "dance"),
        "one clip on the ground, for anything else": _other(lafan1, takes, "ground"),
        "one walk of 3 s": lambda own: foreign(["walk_07_01"]),
        "one salsa of 19 s": lambda own: foreign(["salsa_60_01"]),
    }
    rows = []
    for name, library in libraries.items():
        chosen = [trial for trial in trials if trial.take.person != TUNED and library(trial.take) is not None]
        rows.append(_harmless(f"{gap} frames of LAFAN1, {name}", chosen, library))
    return rows


def _foreign(trials: list[Trial], takes: list[ClipSource], gap: int) -> list[Row]:
    known = _shelf(takes)
    return [_harmless(f"{gap} frames of CMU, LAFAN1's hour", trials, lambda own: known(take.name for take in takes))]


def _harmless(subject: str, trials: list[Trial], library: Choice) -> Row:
    slerp, plain = joined([trial.slerped() for trial in trials]), joined([trial.plain for trial in trials])
    found = _outcome(trials, library)
    return Row(
        f"{subject}, no worse than without",
        _figure(found, plain, slerp),
        HARMLESS * plain.distance.mean / found.distance.mean,
        1.0,
    )


def _own(trials: list[Trial], gap: int) -> list[Row]:
    """Draw on the same take outside the gap."""
    slerp = joined([trial.slerped() for trial in trials])
    plain = joined([trial.within(lambda motion, at: sg.fill(motion, [at])) for trial in trials])
    found = joined([trial.within(from_own) for trial in trials])
    return [
        Row(
            f"{gap} frames of LAFAN1, the same take outside the gap, no worse than without",
            _figure(found, plain, slerp),
            HARMLESS * plain.distance.mean / found.distance.mean,
            1.0,
        )
    ]


def _speed(takes: list[ClipSource]) -> list[Row]:
    """Fill a gap of 30 frames from the whole of LAFAN1."""
    began = time.perf_counter()
    moments = FrameIndex(take.entry for take in takes)
    opened = time.perf_counter() - began
    guide, motion, hours = Guide(moments), takes[-1].motion, moments.minutes / 60.0
    seconds = []
    for at in range(10, 100, 6):
        began = time.process_time()
        sg.fill(motion, [(float(at), at + 31 / 30)], prior=guide)
        seconds.append(time.process_time() - began)
    middle = sorted(seconds)[len(seconds) // 2]
    size = moments.nbytes / 1e6 / hours
    return [
        Row(
            f"a gap of 30 frames from {moments.minutes:.0f} minutes in {1000 * SLOWEST:.0f} ms of one core",
            f"{1000 * middle:.0f} ms, at most {1000 * max(seconds):.0f} ms",
            SLOWEST / middle,
            1.0,
        ),
        Row(f"memory an hour, at most {LARGEST:.0f} MB", f"{size:.0f} MB", LARGEST / size, 1.0),
        Row("moments of all clips made ready", f"{opened:.1f} s"),
    ]


def _outcome(trials: Iterable[Trial], library: Choice) -> Outcome:
    return joined([trial.alone(library(trial.take)) for trial in trials])


def _other(shelf: Callable[[Iterable[str]], Prior], takes: list[ClipSource], action: str) -> Choice:
    """Return a choice of one clip of an action, of another person, for whoever does something else."""

    def choose(own: ClipSource) -> Prior | None:
        if own.action == action:
            return None
        return shelf([next(take.name for take in takes if take.action == action and take.person != own.person)])

    return choose


def _shelf(takes: list[ClipSource]) -> Callable[[Iterable[str]], Prior]:
    """Return what makes a library of the clips with some names, each library once."""

    @cache
    def made(names: tuple[str, ...]) -> Guide:
        return Guide(FrameIndex(take.entry for take in takes if take.name in names))

    return lambda names: made(tuple(names))


def _figure(found: Outcome, plain: Outcome, slerp: Outcome) -> str:
    ratios = (each.distance.mean / slerp.distance.mean for each in (found, plain))
    return "L2P {:.3f} of slerp, without a library {:.3f}".format(*ratios) + f" ({len(found.distance.values)} gaps)"


def _command_line() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--all", action="store_true", help="fill every window")
    parser.add_argument("--windows", type=int, default=WINDOWS, help="about how many windows to fill of each clip")
    parser.add_argument("--gap", type=int, action="append", choices=range(1, max(GAPS) + 1), metavar="FRAMES")
    chosen = parser.parse_args()
    for row in measure(None if chosen.all else chosen.windows, chosen.gap or GAPS):
        print(f"{row.subject}: {row.figure} {row.verdict}".rstrip(": "))


if __name__ == "__main__":
    _command_line()
