"""`segue warm`: compile all kernels before they are needed."""

from __future__ import annotations

from typing import Annotated

import typer

from segue.cli.console import progress_bar, say


def warm_up(
    link: Annotated[bool, typer.Option(help="Link all kernels into one module: commands start sooner.")] = False,
) -> None:
    """Compile all kernels now, so that no later command waits for them.

    Segue compiles a kernel when it is first used and keeps the result in a cache. This command compiles all kernels in
    one process a core. With an empty cache this takes one to two minutes on two cores, with a full one seconds. A wheel
    with machine code needs none of this.

    With --link the command also links all kernels into one extension module in the cache, which needs a C compiler and
    Python's headers. Later commands then do not load numba, unless a kernel has changed since. A module in which
    nothing has changed is kept.

    Example: segue warm --link
    """
    from segue.compiled.build import compile_all, link_all
    from segue.compiled.machine import cached_file, machine
    from segue.compiled.signatures import declared

    present = machine()
    if present is not None and all(map(present.has, declared())):
        say("all kernels are compiled and linked already")
        return
    with progress_bar("Compiling") as advance:
        compile_all(advance)
    say("all kernels are compiled")
    if link:
        with progress_bar("Linking") as advance:
            count = link_all(cached_file(), advance)
        say(f"{count} kernels are linked")
