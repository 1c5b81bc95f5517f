"""`segue studio` and `segue serve`: the browser application, and the engine for other programs."""

from __future__ import annotations

import threading
import webbrowser
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from segue.cli.console import say
from segue.errors import ArgumentError
from segue.io.files import READERS


def open_studio(
    path: Annotated[
        Path | None,
        typer.Argument(metavar="[FOLDER_OR_FILE]", help="A folder, a script or a clip; an example if not given."),
    ] = None,
    *,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port on this machine; 0 chooses a free one.")] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the address in the browser.")] = True,
) -> None:
    """Open the studio in the browser: time line, stage, script and expression tree of one document.

    Without an argument the studio shows an example. Only this machine can reach the studio, and only with the address
    that the command prints. The studio reads and writes files below the folder alone. Ctrl-C ends it.

    Example: segue studio dances/
    """
    try:
        from segue.studio.server import Studio  # an extra, and slow to import
    except ModuleNotFoundError as error:
        raise ArgumentError(f"the studio needs {error.name}: pip install 'segue[studio]' installs it") from None
    from segue.serve.engine import Engine
    from segue.serve.files import SCRIPT, opened
    from segue.serve.warming import Warming

    folder, file, text = _chosen(path, SCRIPT)
    document, conflict = opened(folder, file, text)
    engine = Engine(folder, document, conflict=conflict)
    try:
        studio = Studio(engine, port)
    except OSError as error:
        engine.close()
        raise ArgumentError(f"port {port} cannot be used: the system reports '{error.strerror}'") from None
    warming = Warming(engine)
    threading.Thread(target=_announce, args=(studio, browser), daemon=True).start()
    try:
        studio.run()
    finally:
        warming.close()


def _chosen(path: Path | None, script: str) -> tuple[Path, Path | None, str]:
    """Return the folder to open, the script in it, and the text of a new one."""
    if path is None:
        example = resources.files("segue.studio").joinpath("example.segue").read_text(encoding="utf-8")
        return Path.cwd().resolve(), None, example
    full = path.resolve()
    if full.is_dir():
        scripts = sorted(full.glob(f"*{script}"))
        return full, scripts[0] if scripts else None, ""
    if full.suffix.lower() == script:
        if not full.exists():
            raise ArgumentError(f"there is no script '{path}': create it first, or open its folder")
        return full.parent, full, ""
    if full.is_file() and full.suffix.lower() in READERS:
        return full.parent, None, f'motion = load("{full.name}")\nmotion\n'
    raise ArgumentError(f"'{path}' is no folder, no script ({script}) and no clip ({', '.join(sorted(READERS))})")


def _announce(studio: object, browser: bool) -> None:
    from segue.studio.server import Studio

    assert isinstance(studio, Studio)
    if studio.started.wait(30.0):
        say(f"The studio is at {studio.url}")
        say("Ctrl-C ends it. Changes are kept beside the script until you save.")
        if browser:
            webbrowser.open(studio.url)


def serve(
    folder: Annotated[
        Path, typer.Argument(metavar="[FOLDER]", help="The folder in which scripts may read and write.")
    ] = Path("."),
    *,
    stdio: Annotated[bool, typer.Option("--stdio", help="Talk over standard input and output.")] = False,
) -> None:
    """Run the engine for another program, such as the Blender add-on, over standard input and output.

    Example: segue serve --stdio
    """
    from segue.serve.stdio import serve_stdio

    if not stdio:
        raise ArgumentError("the engine needs a way to talk: pass --stdio, or run segue studio for a browser")
    raise typer.Exit(serve_stdio(folder))
