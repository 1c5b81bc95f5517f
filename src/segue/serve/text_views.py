"""Results of text files: a posed figure, the choices of a dancer, and an evening; new requests cancel old ones."""

from __future__ import annotations

import contextlib
import threading
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from segue.dance.behaviour import Environment, Ground, both_parts, choreograph, read_dancer, read_environment, reports
from segue.errors import ArgumentError, SegueWarning
from segue.serve import gesture_poses
from segue.serve.client import Client
from segue.serve.dancer_texts import library_beside
from segue.serve.engine import Engine
from segue.serve.text_replies import Choice, Chosen, Evening, Fared
from segue.serve.text_requests import ViewText
from segue.serve.texts import OpenedText

_ALONE = Environment(minutes=1.0, couples=1, floor=Ground(10.0, 16.0))
_EVENINGS = 3  # of a dancer alone, with other random seeds
_PREVIEWED = 0.5  # minutes of an evening


class _CancelledError(Exception):
    """A newer question has come."""


def view_text(engine: Engine, client: Client, request: ViewText) -> None:
    """Find out what a text file comes to."""
    text = engine.edited(request.file)
    if not isinstance(text, OpenedText):
        raise ArgumentError("the script shows its motion by itself: name a text file")
    views = {"gestures": gesture_poses.view, "dancer": _choices, "environment": _evening}
    if text.what not in views:
        raise ArgumentError(f"a {text.what} has no view")
    views[text.what](engine, client, request, text)


class _Cancel:
    """Ends a choreography from another thread."""

    def __init__(self) -> None:
        self._asked = threading.Event()

    def ask(self) -> None:
        self._asked.set()

    def check(self, done: int = 0, of: int = 1) -> None:
        if self._asked.is_set():
            raise _CancelledError


def _choices(engine: Engine, client: Client, request: ViewText, text: OpenedText) -> None:
    """Send what a dancer chooses in some evenings alone."""
    rev, said, path = text.document.rev, text.document.text, text.path
    cancel = _Cancel()

    def work() -> None:
        dancer = read_dancer(path, said)
        dancer.knows(request.dance)
        parts = both_parts(library_beside(path), request.dance)
        counts: Counter[str] = Counter()
        decided: dict[str, Counter[str]] = {}
        seconds = 0.0
        for seed in range(_EVENINGS):
            evening = choreograph(
                replace(_ALONE, dance=request.dance, seed=seed), parts, [dancer], progress=cancel.check
            )
            seconds += evening.duration
            for decision in evening.decisions:
                title = decision.verb.title
                counts[title] += 1
                decided.setdefault(title, Counter())[decision.votes[0].process] += 1
        rows = tuple(Choice(title, n, decided[title].most_common(1)[0][0]) for title, n in counts.most_common())
        client.send(Chosen(request.file, rev, request.dance, rows, round(seconds, 1), request=request.request))

    engine.ask_view(client, request.request, request.file, _unless_cancelled(work), cancel.ask)


def _evening(engine: Engine, client: Client, request: ViewText, text: OpenedText) -> None:
    """Send the first part of an evening."""
    rev, said, path = text.document.rev, text.document.text, text.path
    cancel = _Cancel()

    def work() -> None:
        from segue.view.dance_floor import evening_contents  # pictures need a library that is slow to import

        given = read_environment(path, said)
        dancers = [read_dancer(path.parent / name) for name in given.dancers]
        short = replace(given, minutes=min(given.minutes, _PREVIEWED))
        told = [0.0]

        def progress(done: int, of: int) -> None:
            cancel.check()
            share = min(done / of, 1.0)
            if share > told[0] + 0.1:
                told[0] = share
                client.send(Evening(request.file, rev, share * 0.99, None, request=0))

        evening = choreograph(short, both_parts(library_beside(path), given.dance), dancers, progress=progress)
        fared = tuple(
            Fared(
                each.name,
                round(each.laps, 3),
                sum(each.patterns.values()),
                each.waited,
                round(each.room, 3) if len(evening.couples) > 1 else None,
                round(each.wall, 3),
                tuple(each.decided)[:2],
            )
            for each in reports(evening)
        )
        cancel.check()
        client.send(Evening(request.file, rev, 1.0, evening_contents(evening), fared, request=request.request))

    engine.ask_view(client, request.request, request.file, _unless_cancelled(work), cancel.ask)


def _unless_cancelled(work: Callable[[], None]) -> Callable[[], None]:
    def run() -> None:
        with warnings.catch_warnings(), contextlib.suppress(_CancelledError):
            warnings.simplefilter("ignore", SegueWarning)
            work()

    return run
