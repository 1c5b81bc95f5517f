"""How gaps were filled, for pages: cost, supports, prior and clips of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from segue.filling.solving import Patch
from segue.language import tree
from segue.language.values import Value
from segue.motion.fills import FillReport, Support
from segue.motion.motion import Motion
from segue.motion.track_table import parts_of
from segue.serve.clocks import pieces_of
from segue.serve.outline import argument_of
from segue.serve.preview import Evaluated
from segue.serve.rows import origins
from segue.serve.shapes import FillCard, SupportMark
from segue.spacetime.cost import cost_by_term, interpolation

Choice = Literal["auto", "enforce", "never"]


def fill_cards(made: Evaluated, motion: Motion) -> tuple[FillCard, ...]:
    """Return the filled gaps of a motion, in order of time."""
    nodes = origins(made)
    calls = {path: node for path, node in tree.named_nodes(made.script) if isinstance(node, tree.Call)}
    seen: dict[tuple[int, float], FillCard] = {}
    for piece, _, _ in pieces_of(motion):
        report = getattr(piece.source, "report", None)
        if isinstance(report, FillReport):
            node = nodes.get(id(piece.source), "")
            given = _arguments(made, node, calls)
            seen[id(piece.source), piece.time.shift] = _card(report.retimed(*piece.time), node, given, piece.source)
    return tuple(sorted(seen.values(), key=lambda card: card.start))


def _arguments(made: Evaluated, node: str, calls: Mapping[str, tree.Call]) -> dict[str, Value]:
    """Return the values of the parameters `objective` and `support` of a call, where they are given."""
    call, found = calls.get(node), {}
    for name in ("objective", "support"):
        argument = None if call is None else argument_of(call, name)
        if call is not None and argument is not None:
            at = next(k for k, each in enumerate(call.arguments) if each is argument)
            found[name] = made.values.get(f"{node}/{at}")
    return found


def _card(report: FillReport, node: str, given: Mapping[str, Value], source: object) -> FillCard:
    objective = given.get("objective")
    match = report.match
    costs, before = _costs(source)
    return FillCard(
        node,
        report.start,
        report.stop,
        tuple(parts_of(report.tracks)),
        objective if isinstance(objective, str) else "natural",
        report.status,
        1000.0 * sum(report.seconds),
        report.energy,
        report.start_energy,
        costs,
        tuple(_support(each, given.get("support")) for each in report.supports),
        report.notes,
        "" if match is None else str(match),
        () if match is None else tuple(str(each) for each in match.used_clips),
        None if report.cut is None else (report.cut.leave, report.cut.enter),
        before,
    )


def _costs(source: object) -> tuple[dict[str, float], dict[str, float]]:
    """Return the cost by terms of a filled part and of interpolation; none for a part that was not solved."""
    if not isinstance(source, Patch) or source.gap is None:
        return {}, {}
    return cost_by_term(source.gap, source.control), cost_by_term(source.gap, interpolation(source.gap))


def _support(support: Support, given: Value) -> SupportMark:
    target = getattr(support, "target", None)
    place = None if target is None else (float(target[0]), float(target[1]), float(target[2]))
    return SupportMark(support.point, support.start, support.stop, _choice(support.point, given), support.moved, place)


def _choice(point: str, given: Value) -> Choice:
    """Return the choice for a point in a text such as "left_foot=enforce"; a foot stands for its points."""
    texts = [each for each in (given if isinstance(given, tuple) else (given,)) if isinstance(each, str)]
    for part in ",".join(texts).split(","):
        name, _, choice = (word.strip() for word in part.partition("="))
        if name and (name == point or point.startswith(name.removesuffix("_foot").removesuffix("_hand") + "_")):
            if choice == "enforce":
                return "enforce"
            if choice == "never":
                return "never"
    return "auto"
