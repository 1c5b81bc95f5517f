"""`segue graph`: a library as a motion graph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from segue import io
from segue.checks import choice
from segue.cli.console import command_group, progress_bar, say
from segue.cli.library import LibraryFile
from segue.errors import printable
from segue.files import save
from segue.filesystem import writable_target
from segue.graph import Budget, BuildOptions, Graph, Route
from segue.graph.export import FORMATS, export_graph, graph_values, on_skeleton
from segue.io.files import check_writable
from segue.motion.clip_source import ClipSource

graph_commands = command_group("graph", "A library as a motion graph: build it, walk through it, export it.")

_INTERRUPTED = 130  # exit code of a command that was ended by Ctrl-C
_DEFAULTS = BuildOptions()

GraphFile = Annotated[Path, typer.Argument(metavar="GRAPH", help="The graph's file.")]
Out = Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The motion: .bvh, .glb and others.")]
Skeleton = Annotated[
    str | None, typer.Option(metavar="CLIP", help="Write motions on the skeleton of this clip, not on the figure's.")
]


@graph_commands.command(no_args_is_help=True)
def build(
    library: LibraryFile,
    *,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="GRAPH", help="The graph's file.")],
    workers: Annotated[int, typer.Option(help="Processes of this machine; 0: this process alone.")] = 2,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Use the workers of a Dask scheduler.")
    ] = None,
    person: Annotated[str | None, typer.Option(metavar="CLIP", help="Carry all clips onto the person of this.")] = None,
    keep: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Keep this clip even as a dead end.")] = None,
    per_pair: Annotated[int, typer.Option(help="Transitions from one clip to another, at most.")] = 6,
    per_clip: Annotated[int | None, typer.Option(help="Transitions out of one clip, at most.")] = None,
    megabytes: Annotated[float | None, typer.Option(help="Size of all transitions, at most.")] = None,
    slide: Annotated[float, typer.Option(help="Metres that planted feet may slide.")] = _DEFAULTS.slide,
    farthest: Annotated[float, typer.Option(help="Distance in legs up to which it is tried.")] = _DEFAULTS.farthest,
    tries: Annotated[int, typer.Option(help="Pairs of frames to try for each second of a clip.")] = _DEFAULTS.tries,
) -> None:
    """Build the graph of a library, go on with a build that was interrupted, or add what is new.

    Example: segue graph build my.lib -o my.graph
    """
    options = BuildOptions(
        person, tuple(keep or ()), Budget(per_pair, per_clip, megabytes), slide=slide, farthest=farthest, tries=tries
    )
    with progress_bar("Carrying clips") as advance:
        words = {"clips": "Carrying clips", "search": "Searching", "transitions": "Trying transitions"}

        def show(step: str, done: int, total: int) -> None:
            advance(done, total, words[step])

        try:
            report = Graph.report_of_build(
                library, out, workers=workers, scheduler=scheduler, options=options, progress=show
            )
        except KeyboardInterrupt:
            say("stopped: the same command goes on from here")
            raise typer.Exit(_INTERRUPTED) from None
    say(f"looked at {report.pairs} pairs of frames, tried {report.tried} transitions ({report.fresh} of them now)")
    say(f"{report.passed} pass the check, {report.kept} are kept")
    for reason, count in sorted(report.reasons.items()):
        say(f"not made: {count}, {printable(reason)}")
    if report.left_out:
        some = ", ".join(report.left_out[:10]) + (", ..." if len(report.left_out) > 10 else "")
        say(f"left out as dead ends: {len(report.left_out)} of {report.clips} clips: {printable(some)}")
    say(f"{printable(str(out))}: {Graph(out).describe()}, {out.stat().st_size / 1e6:.1f} MB")


@graph_commands.command(no_args_is_help=True)
def info(
    path: GraphFile, as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False
) -> None:
    """Describe a graph: its clips, and how many transitions lead out of each and into it.

    Example: segue graph info my.graph
    """
    graph = Graph(path)
    if as_json:
        say(json.dumps(graph_values(graph), indent=2))
        return
    say(f"{printable(str(path))}: {graph.describe()}, person of {printable(graph.contents.host)}")
    width = max(len(printable(name)) for name in graph.names)
    for k, clip in enumerate(graph.clips):
        out, into = sum(edge.first == k for edge in graph.edges), sum(edge.second == k for edge in graph.edges)
        say(f"{printable(clip.name):<{width}}  {clip.frames / 30:7.1f} s  {out:4d} out  {into:4d} in")


@graph_commands.command(no_args_is_help=True)
def path(
    graph: GraphFile,
    start: Annotated[str, typer.Argument(metavar="FROM", help="A clip, or a pose of it as NAME@SECONDS.")],
    goal: Annotated[str, typer.Argument(metavar="TO", help="A clip, or a pose of it as NAME@SECONDS.")],
    *,
    out: Out,
    skeleton: Skeleton = None,
) -> None:
    """Find the best way from one clip or pose to another, and write it as a motion.

    Example: segue graph path my.graph walk@1 kick -o kicking.glb
    """
    check_writable(out)
    _write(Graph(graph).path(start, goal), out, skeleton)


@graph_commands.command(no_args_is_help=True)
def walk(
    graph: GraphFile,
    *,
    out: Out,
    minutes: Annotated[float, typer.Option(help="How long the walk is.")] = 1.0,
    seed: Annotated[int, typer.Option(help="Another number gives another walk.")] = 0,
    through: Annotated[
        str | None, typer.Option(metavar="PLACES", help='Places x,z in m to pass from the origin, as "2,3 0,5".')
    ] = None,
    skeleton: Skeleton = None,
) -> None:
    """Stroll through the graph without a seam, for as long as you like or through places on the floor.

    Example: segue graph walk my.graph --minutes 5 --seed 1 -o stroll.glb
    """
    check_writable(out)
    with progress_bar("Walking"):
        found = Graph(graph).walk(minutes, seed=seed, through=through)
    _write(found, out, skeleton)


@graph_commands.command(no_args_is_help=True)
def export(
    path: GraphFile,
    *,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FOLDER", help="The folder; made if need be.")],
    format: Annotated[str, typer.Option("--format", help="Of single motions: glb or bvh.")] = "glb",
    skeleton: Skeleton = None,
) -> None:
    """Write tables (JSON, GraphML, CSV), every clip and transition as a file, and one .glb with all animations.

    Example: segue graph export my.graph -o exported --format bvh
    """
    choice("the format", format, FORMATS)
    with progress_bar("Writing motions") as advance:
        written = export_graph(Graph(path), out, format=format, skeleton=skeleton, progress=advance)
    say(f"{printable(str(out))}: {len(written)} files")


@graph_commands.command(no_args_is_help=True)
def plot(
    path: GraphFile,
    *,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="A picture, or a page: .html.")],
    most: Annotated[int, typer.Option(help="Transitions in a page, at most.")] = 200,
) -> None:
    """Draw the graph, or write a page in which a click on an edge plays the transition.

    Example: segue graph plot my.graph -o graph.html
    """
    # pictures need a library that is slow to import
    from segue.view.graph import draw_graph, graph_page

    writable_target(out)
    graph = Graph(path)
    with progress_bar(f"Writing {out.name}"):
        if out.suffix.lower() in (".html", ".htm"):
            graph_page(graph, most=most).save(out)
        else:
            draw_graph(graph).save(out)
    say(f"{printable(str(out))}: {graph.describe()}")


def _write(route: Route, out: Path, skeleton: str | None) -> None:
    source = None if skeleton is None else ClipSource.from_clip(io.read(skeleton))
    save(on_skeleton(route.motion, source), out)
    for seam in route.seams[:20]:
        say(f"{seam.start:8.2f} s  {printable(seam.first)} -> {printable(seam.second)}, {seam.stop - seam.start:.2f} s")
    if len(route.seams) > 20:
        say(f"and {len(route.seams) - 20} more transitions")
    say(f"{printable(str(out))}: {route.motion.duration:.1f} s, {len(route.seams)} transitions")
