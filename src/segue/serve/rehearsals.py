"""Rehearsals of patterns for pages: the plan on the floor, what bodies cannot do in it, and the preview's motion."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping

from segue.dance.notation import Part, Pattern, check, parse, partner_of
from segue.dance.performance.couple import preview_couple
from segue.dance.performance.solo import preview
from segue.dance.planning import Plan, plan
from segue.errors import ArgumentError
from segue.files import load
from segue.motion.motion import Motion
from segue.serve.client import Client
from segue.serve.engine import Engine
from segue.serve.outlines import StepWarning
from segue.serve.pattern_texts import floor_of, partner_written
from segue.serve.shown import DrawnMotion
from segue.serve.text_replies import Rehearsal
from segue.serve.text_requests import Rehearse
from segue.serve.texts import OpenedText

_FPS = 60.0
_STEP = re.compile(r".*, step (\d+): (.*)")


def rehearse(engine: Engine, client: Client, request: Rehearse) -> None:
    """Plan and preview an open pattern, and send the plan and the motions."""
    edited = engine.edited(request.file)
    if not isinstance(edited, OpenedText) or edited.what != "pattern":
        raise ArgumentError(f"'{request.file}' is no pattern: only patterns can be rehearsed")
    rev, text, path = edited.document.rev, edited.document.text, edited.path
    beside = engine.workspace.to_read(request.beside) if request.beside else None

    def work() -> None:
        pattern = parse(text, request.file)
        if any(finding.severity == "error" for finding in check(pattern)):
            raise ArgumentError("the pattern has errors: correct them first")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            plans, motions = _danced(pattern, partner_written(path) if request.couple else None, couple=request.couple)
        if beside is not None:
            motions["beside"] = load(beside)
        floors = tuple(floor_of(each) for each in plans)
        told = tuple(dict.fromkeys(_warning(str(each.message)) for each in caught))
        client.send(Rehearsal(request.file, rev, request.couple, floors, told, request=request.request))
        client.sent.forget("rehearsed")  # a page drops motions that a rehearsal does not have
        for index, (name, motion) in enumerate(motions.items()):
            drawn = DrawnMotion(motion, name, mesh=False)
            client.send_motion(rev, request.file, "rehearsed", index, drawn, request.request)

    engine.ask(client, request.request, "rehearse", work)


def _danced(pattern: Pattern, written: Pattern | None, *, couple: bool) -> tuple[list[Plan], dict[str, Motion]]:
    if not couple:
        alone = plan(pattern)
        return [alone], {pattern.part: preview(alone, fps=_FPS)}
    other = written or partner_of(pattern)
    parts: Mapping[Part, Pattern] = {each.part: each for each in (pattern, other)}
    both = preview_couple(parts[Part.LEADER], [parts[Part.FOLLOWER]], fps=_FPS)
    return [both.plan.leader, both.plan.follower], dict(both.motions)


def _warning(said: str) -> StepWarning:
    found = _STEP.fullmatch(said)
    return StepWarning(0, said) if found is None else StepWarning(int(found[1]), found[2])
