"""The action of each request: changes of the text, files, and the motions that pages want to see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from segue import __version__, clips
from segue.dance.notation import Alignment, Row
from segue.errors import ArgumentError
from segue.language.parser import KEYWORDS
from segue.language.table import ALIASES
from segue.language.values import JOINT_NAMES
from segue.serve import answers, files, gesture_poses, rehearsals, targets, text_views, texts, toml_edits
from segue.serve.client import Client
from segue.serve.edited import change
from segue.serve.engine import Engine
from segue.serve.functions import function_shapes, simulation_shapes
from segue.serve.message import Request
from segue.serve.messages import PROTOCOL
from segue.serve.pattern_texts import symbol_shapes
from segue.serve.replies import State, Welcome
from segue.serve.requests import (
    AskHelp,
    AskSkeleton,
    CancelJob,
    Check,
    Commit,
    Compare,
    Complete,
    Cuts,
    Drag,
    Edit,
    Explain,
    Export,
    Footprint,
    Hello,
    Listing,
    ListTexts,
    MapJoints,
    NewText,
    Open,
    OpenText,
    Redo,
    Resolve,
    Revert,
    Save,
    Show,
    StartJob,
    Try,
    Undo,
    Upload,
    Variants,
)
from segue.serve.simulation_messages import GuideSimulation, KeepSimulation, PushDancer, Simulate
from segue.serve.text_requests import AdoptGesture, ListTable, Pose, Rehearse, SetValues, ViewText
from segue.view.character import mesh_of
from segue.view.web.contents import scene

_MOST_NODES = 8  # motions that a page shows at once


def hello(engine: Engine, client: Client, request: Hello) -> None:
    """Greet a page and send it the whole present state."""
    if request.protocol != PROTOCOL:
        raise ArgumentError(
            f"the page speaks version {request.protocol} of the messages, the engine {PROTOCOL}: load the page again"
        )
    client.greeted = True
    client.sent.forget()
    welcome = Welcome(
        PROTOCOL,
        __version__,
        engine.folder.name,
        function_shapes(),
        dict(ALIASES),
        tuple(KEYWORDS),
        tuple(clips.NAMES),
        tuple(sorted(JOINT_NAMES)),
        targets.POINTS,
        scene(),
        tuple(texts.TEXT_KINDS),
        symbol_shapes(),
        tuple(map(str, Row)),
        tuple(map(str, Alignment)),
        simulation_shapes(),
        request=request.request,
    )
    client.send(welcome)
    client.send(engine.described(request.request))
    client.send(engine.warm)
    client.send(engine.simulations.state)
    files.tell_conflict(engine, client)
    made = engine.evaluated
    if made is not None:
        engine.solver.submit(f"greet {id(client)}", lambda: _greet(engine, client, request))
    client.send(State(engine.document.rev, engine.is_evaluating))


def _greet(engine: Engine, client: Client, request: Hello) -> None:
    made = engine.evaluated
    if made is not None:
        with engine.guarded(client, request):
            engine.publish(made, client)
        client.send(State(made.rev, False, made.ms))


def edit(engine: Engine, client: Client, request: Edit) -> None:
    """Change the text by spans."""
    change(engine.to_change(request.file), client, request, request.changes)


def commit(engine: Engine, client: Client, request: Commit) -> None:
    """End a gesture and keep its text."""
    edited = engine.edited(request.file)
    if edited.document.gesture == request.gesture:
        edited.document.commit()
    edited.tell_document(request.request, client)
    made = engine.evaluated
    if (
        edited is engine
        and made is not None
        and made.rev == engine.document.rev
        and made.motion is not None
        and mesh_of(made.motion)
    ):
        # during the gesture it was left out
        engine.solver.submit("mesh", lambda: engine.publish(made))


def revert(engine: Engine, client: Client, request: Revert) -> None:
    """End a gesture and restore the text before it."""
    edited = engine.edited(request.file)
    if edited.document.gesture == request.gesture:
        edited.document.revert()
        edited.changed(request.request, client)
    else:
        edited.tell_document(request.request, client)


def undo(engine: Engine, client: Client, request: Undo) -> None:
    """Go back one step."""
    edited = engine.edited(request.file)
    edited.document.undo()
    edited.changed(request.request, client)


def redo(engine: Engine, client: Client, request: Redo) -> None:
    """Go forward one step."""
    edited = engine.edited(request.file)
    edited.document.redo()
    edited.changed(request.request, client)


def show(engine: Engine, client: Client, request: Show) -> None:
    """Choose what a page sees."""
    if len(request.nodes) > _MOST_NODES:
        raise ArgumentError(f"{len(request.nodes)} motions are to be shown: at most {_MOST_NODES} are shown at once")
    if len(request.nodes) < len(client.show.nodes):
        client.sent.forget("ghost")
    client.show = request

    def work() -> None:
        made = engine.evaluated
        if made is not None:
            with engine.guarded(client, request):
                engine.send_motions(client, made, request.request)
                engine.measure(client, made, request.request)

    engine.solver.submit(f"show {id(client)}", work)


def start_job(engine: Engine, client: Client, request: StartJob) -> None:
    """Start long work."""
    engine.jobs.start(request.job, request.arguments, request.request)


def cancel_job(engine: Engine, client: Client, request: CancelJob) -> None:
    """Stop long work: a job, or variants that are being solved."""
    if not answers.cancel_variants(engine, client, request):
        engine.jobs.cancel(request.job)


def simulate(engine: Engine, client: Client, request: Simulate) -> None:
    """Start a streamed simulation."""
    engine.simulations.start(request)


def guide_simulation(engine: Engine, client: Client, request: GuideSimulation) -> None:
    """Pause, resume or end the simulation, take it back, or note what a page has taken."""
    if request.action == "stop":
        engine.simulations.stop()
    elif request.action != "seen" or engine.simulations.pid is not None:
        engine.simulations.command(request.action, time=request.time)


def push_dancer(engine: Engine, client: Client, request: PushDancer) -> None:
    """Push a simulated dancer."""
    engine.simulations.command(
        "push", time=request.time, point=request.point, force=request.force, lasting=request.lasting, part=request.part
    )


def keep_simulation(engine: Engine, client: Client, request: KeepSimulation) -> None:
    """Write the simulated motion."""
    engine.workspace.to_write(request.path)
    engine.simulations.command("keep", path=request.path, request=request.request)


def upload(engine: Engine, client: Client, request: Upload) -> None:
    """Take a part of a file."""
    client.send(engine.uploads.take(request))


ACTIONS: dict[type[Request], Callable[[Engine, Client, Any], None]] = {
    Hello: hello,
    Edit: edit,
    Commit: commit,
    Revert: revert,
    Undo: undo,
    Redo: redo,
    Open: files.open_file,
    Save: files.save,
    ListTexts: texts.list_texts,
    OpenText: texts.open_text,
    NewText: texts.new_text,
    SetValues: toml_edits.set_values,
    ListTable: toml_edits.list_table,
    AdoptGesture: gesture_poses.adopt,
    Pose: gesture_poses.pose,
    ViewText: text_views.view_text,
    Rehearse: rehearsals.rehearse,
    Resolve: files.resolve,
    Export: files.export,
    Listing: files.listing,
    Complete: answers.complete,
    AskHelp: answers.ask_help,
    Try: answers.try_line,
    Show: show,
    Check: answers.check,
    Explain: answers.explain,
    Variants: answers.variants,
    Cuts: answers.cuts,
    Drag: targets.drag,
    Footprint: targets.footprint,
    Compare: answers.compare,
    AskSkeleton: files.skeleton,
    MapJoints: files.map_joints,
    Upload: upload,
    StartJob: start_job,
    CancelJob: cancel_job,
    Simulate: simulate,
    GuideSimulation: guide_simulation,
    PushDancer: push_dancer,
    KeepSimulation: keep_simulation,
}
"""The function for each request."""
