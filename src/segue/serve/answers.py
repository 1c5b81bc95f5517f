"""Answers to questions of pages: completion, help, tried lines, checks, fills, variants, cut maps, versions."""

from __future__ import annotations

import re

import numpy as np

from segue.checks import integer
from segue.errors import ArgumentError, SegueError
from segue.filling.cutting import cut_points, distance_map
from segue.language import tree
from segue.language.completion import completions, help_text
from segue.language.effects import timeline
from segue.language.errors import LanguageError
from segue.language.parser import parse
from segue.language.session import Session
from segue.language.table import function_named
from segue.language.values import Value, describe
from segue.motion.motion import Motion
from segue.serve.cards import fill_cards
from segue.serve.client import Client
from segue.serve.document import changed_text, utf16
from segue.serve.engine import Engine
from segue.serve.outline import argument_of, with_argument
from segue.serve.preview import Evaluated
from segue.serve.replies import Completions, CutMap, Fills, Findings, HelpText, JobState, Tried, Variant
from segue.serve.requests import AskHelp, CancelJob, Check, Compare, Complete, Cuts, Explain, Try, Variants
from segue.serve.shapes import Completion
from segue.serve.shown import DrawnMotion

_HELP = re.compile(r"help(?:\s+|\s*\(\s*)?(\w*)\s*\)?\s*$")
_SHOWN = re.compile(r"show\s+(?![=(])(.+)$", re.DOTALL)
_MOST_COMPLETIONS = 200
_MOST_VARIANTS = 12
_FINEST = 200  # frames each way of a cut map


def _session(engine: Engine, *, effects: bool = False, say: list[str] | None = None) -> Session:
    """Return a session with what the script has named."""
    made = engine.evaluated
    printed = [] if say is None else say
    session = Session(engine.folder, engine.limits, printed.append, engine.preview.memory, effects)
    if made is not None:
        session.values.update(made.session.values)
        session.definitions.update(made.session.definitions)
        session.library = made.session.library
    return session


def complete(engine: Engine, client: Client, request: Complete) -> None:
    """Complete the word before a position."""
    text = engine.document.text if request.line is None else request.line
    units = text.encode("utf-16-le", "surrogatepass")[: 2 * max(request.position, 0)]
    before = units.decode("utf-16-le", "replace")
    found = []
    for each in completions(_session(engine), before):
        start = utf16(before, len(before) - each.typed)
        found.append(Completion(each.text, start, request.position, each.about))
        if len(found) == _MOST_COMPLETIONS:
            break
    client.send(Completions(tuple(found), request=request.request))


def ask_help(engine: Engine, client: Client, request: AskHelp) -> None:
    """Send help on a name."""
    text = help_text(request.name, _session(engine).definitions)
    client.send(HelpText(request.name, text, request=request.request))


def try_line(engine: Engine, client: Client, request: Try) -> None:
    """Evaluate a line of the prompt after the script; what the line saves or prints is done, since it was asked for."""
    asked = _HELP.match(request.line.strip())
    if asked:
        text = help_text(asked[1], _session(engine).definitions)
        client.send(Tried(request.line, text, False, request=request.request))
        return
    shown = _SHOWN.match(request.line.strip())
    said: list[str] = []
    session = _session(engine, effects=True, say=said)

    def work() -> None:
        value: Value = None
        try:
            value = session.run(shown[1] if shown else request.line, "prompt")
        except LanguageError as error:
            text, failed = f"{error.message}\n{error.pointer}", True
        except SegueError as error:
            text, failed = str(error), True
        else:
            answer = timeline(value, 80) if shown and isinstance(value, Motion) else describe(value)
            text, failed = "\n".join([*said, *([answer] if answer else [])]), False
        client.send(Tried(request.line, text, failed, request=request.request))
        if isinstance(value, Motion) and value.tracks:
            with engine.guarded(client, request):
                drawn = DrawnMotion(value, "tried", mesh=False)
                client.send_motion(engine.document.rev, "try", "ghost", 0, drawn, request.request)

    engine.solver.submit(f"try {id(client)}", work, session.cancel)


def _evaluated(engine: Engine) -> Evaluated:
    if engine.evaluated is None:
        raise ArgumentError("the script has not been evaluated yet: wait, or correct its errors")
    return engine.evaluated


def _motion(made: Evaluated, node: str) -> tuple[str, Motion]:
    """Return a node and its motion; "" stands for the shown one."""
    path = node or made.shown
    value = made.values.get(path)
    if not isinstance(value, Motion) or not value.tracks:
        raise ArgumentError("there is no motion here" if node else "the script shows no motion")
    return path, value


def check(engine: Engine, client: Client, request: Check) -> None:
    """Measure the plausibility of the motion that a page shows."""
    made = _evaluated(engine)
    node, motion = _motion(made, client.show.nodes[0] if client.show.nodes else "")

    def work() -> None:
        client.send(Findings(made.rev, node, engine.measured(motion).findings(), request=request.request))

    engine.ask(client, request.request, "check", work)


def explain(engine: Engine, client: Client, request: Explain) -> None:
    """Say how gaps were filled."""
    made = _evaluated(engine)
    node, motion = _motion(made, request.node)
    client.send(Fills(made.rev, node, fill_cards(made, motion), request=request.request))


def _call(made: Evaluated, node: str, *functions: str) -> tree.Call:
    found = dict(tree.named_nodes(made.script)).get(node)
    function = function_named(found.function) if isinstance(found, tree.Call) else None
    if not isinstance(found, tree.Call) or function is None or function.name not in functions:
        raise ArgumentError(f"this works on a call of {' or '.join(functions)}: select one")
    return found


def variants(engine: Engine, client: Client, request: Variants) -> None:
    """Solve a transition or fill in several ways: the script is evaluated with each number of `variant`."""
    made = _evaluated(engine)
    call = _call(made, request.node, "transition", "fill", "fill_gaps")
    count = int(integer("count", request.count, least=1, most=_MOST_VARIANTS))
    name = f"variants {request.request}"
    client.sent.forget("variant")

    def work() -> None:
        found = 0
        for index in range(count):
            state = JobState(name, "variants", index, count, "running", request=request.request)
            client.send(state)
            change = with_argument(call, "variant", str(index), made.text)
            text = changed_text(made.text, (change,))
            solved = engine.preview.run(made.rev, text, parse(text, "script", engine.limits))
            motion, value = solved.motion, solved.values.get(request.node)
            fills = value.fills if isinstance(value, Motion) else ()
            if motion is None or not any(each.match is not None and each.match.share > 0.0 for each in fills):
                break
            sentence = next(
                (str(each.match) for each in fills if each.match is not None and each.match.share > 0.0), ""
            )
            client.send(Variant(made.rev, request.node, index, sentence, (change,), request=request.request))
            drawn = DrawnMotion(motion, f"variant {index + 1}", mesh=False)
            client.send_motion(made.rev, request.node, "variant", index, drawn, request.request)
            found += 1
        said = f"{found} variants" if found else "no prior knows another path for this gap"
        client.send(JobState(name, "variants", found, count, "finished", said, request=request.request))

    def guarded() -> None:
        try:
            work()
        except SegueError as error:
            client.send(JobState(name, "variants", 0, count, "cancelled", str(error), request=request.request))

    engine.solver.submit(f"{name} {id(client)}", guarded, engine.preview.cancel)


def cancel_variants(engine: Engine, client: Client, request: CancelJob) -> bool:
    """Stop variants; return False if the job is another."""
    if not request.job.startswith("variants "):
        return False
    if not engine.solver.cancel(f"{request.job} {id(client)}"):
        raise ArgumentError(f"there is no job '{request.job}' that runs")
    return True


def cuts(engine: Engine, client: Client, request: Cuts) -> None:
    """Send the distances of all pairs of frames of a transition."""
    made = _evaluated(engine)
    call = _call(made, request.node, "transition")

    def given(parameter: str) -> Value:
        argument = argument_of(call, parameter)
        if argument is None:
            return None
        return made.values.get(f"{request.node}/{[each is argument for each in call.arguments].index(True)}")

    first, second, seconds, mode = (given(name) for name in ("first", "second", "duration", "mode"))
    joined = made.values.get(request.node)
    if not isinstance(first, Motion) or not isinstance(second, Motion) or not isinstance(joined, Motion):
        raise ArgumentError("the transition has not been evaluated: correct the script first")
    cut = next((each for each in reversed(joined.fills) if each.cut is not None), None)
    duration = seconds if isinstance(seconds, float) else 0.6 if cut is None else cut.stop - cut.start
    how = mode if isinstance(mode, str) else "free"

    def work() -> None:
        found = distance_map(first, second, duration, mode=how)
        rows, columns = (slice(None, None, -(-len(times) // _FINEST)) for times in (found.leaves, found.enters))
        best = [(each.leave, each.enter) for each in cut_points(first, second, duration=duration, mode=how)]
        reply = CutMap(
            made.rev,
            request.node,
            tuple(found.leaves[rows].tolist()),
            tuple(found.enters[columns].tolist()),
            tuple(best),
            None if cut is None or cut.cut is None else (cut.cut.leave, cut.cut.enter),
            request=request.request,
        )
        client.send(reply, {"cost": np.ascontiguousarray(found.distances[rows, columns], dtype="f4")})

    engine.ask(client, request.request, "cuts", work)


def compare(engine: Engine, client: Client, request: Compare) -> None:
    """Send the motion of an earlier revision beside the present one."""
    client.sent.forget("compare")
    if request.rev == 0:
        return
    text = engine.document.texts.get(request.rev)
    if text is None:
        raise ArgumentError(f"revision {request.rev} is not known any more")

    def work() -> None:
        with engine.guarded(client, request):
            made = engine.preview.run(request.rev, text, parse(text, "script", engine.limits))
            _, motion = _motion(made, "")
            drawn = DrawnMotion(motion, f"revision {request.rev}", mesh=False)
            client.send_motion(request.rev, made.shown, "compare", 0, drawn, request.request)

    engine.solver.submit(f"compare {id(client)}", work, engine.preview.cancel)
