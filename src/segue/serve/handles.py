"""Numbers of the script that can be dragged on the time line: where they stand, and what a drag writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from segue.language import tree
from segue.language.table import function_named
from segue.language.values import Value
from segue.motion.fills import FillReport
from segue.motion.motion import Motion, gaps
from segue.serve.clocks import Clock, ShownParts, pieces_of
from segue.serve.outline import argument_of, number_at, numeral
from segue.serve.preview import Evaluated
from segue.serve.shapes import Handle

What = Literal["leave", "enter", "duration", "start", "stop", "at", "gap"]

_SHORTEST, _LONGEST = 0.05, 10.0  # s, of a transition that is dragged
_FAR = 3600.0  # s


def handles_of(made: Evaluated, shown: ShownParts) -> tuple[Handle, ...]:
    """Return the handles of all calls whose motions are shown, in the order of the text."""
    found: list[Handle] = []
    for path, node in tree.named_nodes(made.script):
        value = made.values.get(path)
        if isinstance(node, tree.Call) and isinstance(value, Motion) and value.tracks:
            clock = shown.clock(value)
            if clock is not None:
                found += _Handles(made, path, node, value, clock).all()
    return tuple(found)


class _Handles:
    """The handles of one call."""

    def __init__(self, made: Evaluated, path: str, call: tree.Call, value: Motion, clock: Clock) -> None:
        self.made, self.path, self.call, self.value, self.clock = made, path, call, value, clock
        self.frame = 1.0 / value.fps

    def all(self) -> Iterator[Handle]:
        """Yield the handles."""
        function = function_named(self.call.function)
        match "" if function is None else function.name:
            case "transition":
                yield from self._transition()
            case "fill":
                yield from self._fill()
            case "retime":
                yield from self._retime()
            case "trim":
                yield from self._trim()
            case "concatenate":
                yield from self._concatenate()
            case "inbetween" | "interpolate":
                yield from self._keys()

    def _given(self, parameter: str) -> Value:
        """Return the value of a parameter; None where it is not given."""
        argument = argument_of(self.call, parameter)
        if argument is None:
            return None
        at = next(k for k, each in enumerate(self.call.arguments) if each is argument)
        return self.made.values.get(f"{self.path}/{at}")

    def _handle(
        self,
        parameter: str,
        what: What,
        at: float,
        value: float,
        bounds: tuple[float, float],
        *,
        scale: float = 1.0,
        also: str = "",
        call: tree.Call | None = None,
        node: str = "",
    ) -> Iterator[Handle]:
        """Yield a handle. at: the time of the call's motion. scale: change of the value for 1 s of that time."""
        place = number_at(self.made.script, call or self.call, parameter, self.made.text, also=also)
        if place is not None and bounds[0] <= bounds[1]:
            time, rate = self.clock.shown(at), self.clock.rate * scale
            least, most = bounds
            yield Handle(
                node or self.path,
                parameter,
                what,
                time,
                value,
                rate,
                least,
                most,
                place.start,
                place.stop,
                place.prefix,
                place.suffix,
            )

    def _transition(self) -> Iterator[Handle]:
        first, second = self._given("first"), self._given("second")
        report = _own_fill(self.value, first, second)
        if not (isinstance(first, Motion) and isinstance(second, Motion)) or report is None or report.cut is None:
            return
        leave, enter, seconds = report.cut.leave, report.cut.enter, report.stop - report.start
        # a search for one cut point alone would move the other one under the hand
        other = {
            name: "" if argument_of(self.call, name) else f", {name}={numeral(at)}"
            for name, at in (("leave", leave), ("enter", enter))
        }
        yield from self._handle(
            "leave", "leave", report.start, leave, (first.start + self.frame, first.stop), also=other["enter"]
        )
        yield from self._handle(
            "enter", "enter", report.stop, enter, (second.start, second.stop - self.frame), also=other["leave"]
        )
        yield from self._handle("duration", "duration", report.stop, seconds, (_SHORTEST, _LONGEST))

    def _fill(self) -> Iterator[Handle]:
        motion, start, stop = (self._given(name) for name in ("motion", "start", "stop"))
        if isinstance(motion, Motion) and isinstance(start, float) and isinstance(stop, float):
            yield from self._handle("start", "start", start, start, (motion.start + self.frame, stop - _SHORTEST))
            yield from self._handle("stop", "stop", stop, stop, (start + _SHORTEST, motion.stop - self.frame))

    def _retime(self) -> Iterator[Handle]:
        motion, start = self._given("motion"), self._given("start")
        if not (isinstance(motion, Motion) and isinstance(start, float)):
            return
        yield from self._handle("start", "at", start, start, (-_FAR, _FAR))
        stretch, seconds = self._given("stretch"), self.value.duration
        if isinstance(stretch, float) and self._given("duration") is None and motion.duration > 0.0:
            per = 1.0 / motion.duration
            least = _SHORTEST * per
            yield from self._handle("stretch", "duration", self.value.stop, stretch, (least, _FAR * per), scale=per)
        else:
            yield from self._handle("duration", "duration", self.value.stop, seconds, (_SHORTEST, _FAR))

    def _trim(self) -> Iterator[Handle]:
        motion, start, stop = (self._given(name) for name in ("motion", "start", "stop"))
        if isinstance(motion, Motion) and isinstance(start, float) and isinstance(stop, float):
            yield from self._handle("start", "start", self.value.start, start, (motion.start, stop - self.frame))
            yield from self._handle("stop", "stop", self.value.stop, stop, (start + self.frame, motion.stop))

    def _concatenate(self) -> Iterator[Handle]:
        gap = self._given("gap")
        found = gaps(self.value)
        if isinstance(gap, float) and found:
            yield from self._handle("gap", "gap", found[0].stop, gap, (0.0, _LONGEST))

    def _keys(self) -> Iterator[Handle]:
        for k, argument in enumerate(self.call.arguments):
            call = argument.value
            if not isinstance(call, tree.Call) or call.function not in ("key", "pose"):
                continue
            parameter = "time" if call.function == "pose" or argument_of(call, "time") else "at"
            given = argument_of(call, parameter)
            if given is None:
                continue
            at = next(n for n, each in enumerate(call.arguments) if each is given)
            time = self.made.values.get(f"{self.path}/{k}/{at}")
            if isinstance(time, float):
                yield from self._handle(parameter, "at", time, time, (-_FAR, _FAR), call=call, node=f"{self.path}/{k}")


def _own_fill(value: Motion, *parts: Value) -> FillReport | None:
    """Return the report of the gap that a call filled itself, and not one of its arguments."""
    before = {id(piece.source) for part in parts if isinstance(part, Motion) for piece, _, _ in pieces_of(part)}
    for piece, _, _ in pieces_of(value):
        report = getattr(piece.source, "report", None)
        if isinstance(report, FillReport) and id(piece.source) not in before:
            return report.retimed(*piece.time)
    return None
