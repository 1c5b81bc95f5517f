"""`segue view`: a page that plays clips and motions of scripts in any browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from segue.cli.console import complain, progress_bar, say
from segue.cli.run import read_script
from segue.cli.source import GroundName, ReadOptionsWithoutBody, grouped, load_motion, names_clip, unused_name
from segue.errors import ArgumentError
from segue.filesystem import writable_target
from segue.io.ground import ground_named
from segue.language import Session
from segue.motion.ground import AUTO
from segue.motion.motion import Motion
from segue.motion.options import ClipOptions


@grouped
def view_motions(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="CLIP_OR_SCRIPT...", help="Clips, clips.NAME or scripts' files; several are compared."),
    ],
    *,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The page: .html.")] = Path("view.html"),
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The page's title; its labels if not given.")
    ] = None,
    ground: GroundName = AUTO,
    mesh: Annotated[
        bool, typer.Option("--mesh/--no-mesh", help="Show the meshes of files that have one; else the figure.")
    ] = True,
    show: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    options: ReadOptionsWithoutBody,
) -> None:
    """Write a page that plays motions in 3D: one file that any browser opens, with no server and no network.

    Example: segue view walk.bvh mended.bvh -o compare.html
    """
    # pages need a library that is slow to import
    from segue.view.web import page
    from segue.view.web.pages import check_page_suffix

    check_page_suffix(out)
    writable_target(out)
    stage = ground_named(ground)
    motions: dict[str, Motion] = {}
    for source in sources:
        for label, motion in _load(source, options):
            motions[unused_name(label, motions)] = motion
    with progress_bar(f"Writing {out.name}"):
        page(motions, fills=lambda motion: motion.fills, title=title, ground=stage, mesh=mesh).save(out)
    count = f"{len(motions)} motion{'' if len(motions) == 1 else 's'}"
    say(f"{out}: {count}, {out.stat().st_size / 1e3:.0f} kB, open it in a browser")
    if show and not webbrowser.open(out.resolve().as_uri()):
        complain(f"no browser was found: open {out} in one yourself")
        raise typer.Exit(1)


def _load(source: str, options: ClipOptions) -> list[tuple[str, Motion]]:
    """Return the motion of a clip, or the motion or the list of motions that a script gives, with their labels."""
    if names_clip(source):
        return [(Path(source).name, load_motion(source, options))]
    value = Session(say=lambda _: None).run(read_script(Path(source)), source)
    given = value if isinstance(value, tuple) else (value,)
    motions = [motion for motion in given if isinstance(motion, Motion)]
    if not motions or len(motions) < len(given):
        raise ArgumentError(f"{source} does not end in a motion or a list of motions: there is nothing to show")
    return [(Path(source).name, motion) for motion in motions]
