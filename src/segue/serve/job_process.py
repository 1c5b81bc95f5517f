"""The process of a job: `python -m segue.serve.job_process JOB ARGUMENT...`, which prints its progress as JSON.

The process ends when its standard input is closed, so that it never outlives the engine. Finished parts are kept.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from segue.checks import choice
from segue.errors import ArgumentError, SegueError
from segue.language.workspace import Workspace

LIBRARY_SUFFIX = ".lib"
_GRACE = 1.5  # s to end by itself after the input is closed


def _tell(**said: Any) -> None:
    print(json.dumps(said), flush=True)


def library(arguments: Sequence[str]) -> str:
    """Build a library. arguments: its path, then clips or folders; all below the present folder."""
    from segue.library.build import Builder  # each job imports what it alone needs

    if len(arguments) < 2:
        raise ArgumentError("a library needs the name of its file, and clips or folders")
    workspace = Workspace()
    path = workspace.to_write(arguments[0], {LIBRARY_SUFFIX})
    sources = [workspace.inside(each) for each in arguments[1:]]
    built = Builder(path, sources, progress=lambda done, of, name: _tell(done=done, of=of, sentence=name)).run()
    return f"{arguments[0]}: {len(built.added)} clips added, {len(built.changed)} changed, {len(built.skipped)} skipped"


def simulate(arguments: Sequence[str]) -> str:
    """Simulate a dance. arguments: the name of a pattern or its file, as `texts` lists it, and the motion's file."""
    from segue.dance import plan
    from segue.dance import simulate as run
    from segue.dance.patterns import SUFFIX
    from segue.files import save
    from segue.serve.pattern_texts import PATTERN
    from segue.serve.text_kinds import text_path

    if len(arguments) != 2:
        raise ArgumentError("a simulated dance needs a pattern, and the name of a file for its motion")
    workspace = Workspace()
    pattern, out = arguments[0], workspace.to_write(arguments[1])
    name = str(text_path(PATTERN, workspace, pattern)) if pattern.lower().endswith(SUFFIX) else pattern
    dance = run(plan(name), progress=lambda done, of: _tell(done=done, of=of, sentence=pattern))
    if len(dance.positions) < 2:
        raise ArgumentError("the dance was stopped before it began")
    save(dance.motion, out)
    return f"{arguments[1]}: {dance.times[-1]:.1f} s" + ("" if dance.fall is None else f"; {dance.fall}")


JOBS: dict[str, Callable[[Sequence[str]], str]] = {"library": library, "simulate": simulate}
"""Jobs by name. Each takes arguments and returns a sentence."""


def _end_with_input() -> None:
    sys.stdin.buffer.read()
    threading.Timer(_GRACE, os._exit, (1,)).start()
    os.kill(os.getpid(), signal.SIGINT)


def main(arguments: Sequence[str]) -> None:
    """Run one job."""
    threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        sentence = JOBS[choice("job", arguments[0] if arguments else "", tuple(JOBS))](arguments[1:])
    except SegueError as error:
        _tell(state="failed", sentence=str(error))
    except KeyboardInterrupt:
        _tell(state="failed", sentence="cancelled")
    else:
        _tell(state="finished", sentence=sentence)
    os._exit(0)  # the thread that reads the input would keep the process


if __name__ == "__main__":
    main(sys.argv[1:])
