"""Ctrl-C in a transition, or in many at once: what is under way ends, and nothing is the worse for it."""

from __future__ import annotations

import _thread
import signal
import threading
import time
from types import FrameType

import numpy as np
import pytest

import segue as sg
from segue.compiled.kernel import interruptible
from segue.filling import solving
from segue.spacetime import Gap, Solution


def frames_of(motion: sg.Motion) -> bytes:
    state = motion.state(np.linspace(motion.start, motion.stop, 30))
    return b"".join(part.tobytes() for part in state.parts)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers to interrupt with")
def test_an_interrupted_transition_can_be_made_again() -> None:
    whole = frames_of(sg.transition(sg.clips.walk, sg.clips.kick))
    began = time.perf_counter()
    sg.transition(sg.clips.walk, sg.clips.kick)
    lasts = time.perf_counter() - began

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, interrupt)
    interrupted = 0
    try:
        for part in np.linspace(0.02, 1.0, 30):
            try:
                signal.setitimer(signal.ITIMER_REAL, float(part * lasts))
                sg.transition(sg.clips.walk, sg.clips.kick)
                signal.setitimer(signal.ITIMER_REAL, 0.0)
            except KeyboardInterrupt:
                interrupted += 1
            assert frames_of(sg.transition(sg.clips.walk, sg.clips.kick)) == whole
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, previous)
    assert interrupted > 3


def test_an_interrupt_that_came_out_as_another_error_is_one_again() -> None:
    @interruptible
    def confused(cause: BaseException | None) -> None:
        error = SystemError("a function returned a result with an exception set")
        error.__cause__ = SystemError("another one did, too")
        error.__cause__.__cause__ = cause
        raise error

    with pytest.raises(KeyboardInterrupt):
        confused(KeyboardInterrupt())
    with pytest.raises(SystemError):
        confused(None)
    with pytest.raises(SystemError):
        confused(MemoryError())


@pytest.mark.parametrize("threads", [1, 2])
def test_interrupted_transitions_begin_no_more_and_leave_no_thread(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = frames_of(sg.transition(sg.clips.walk, sg.clips.kick))
    joins = [sg.Join(sg.clips.walk, sg.clips.kick)] * 60
    begun = []
    solve = solving.solve

    def interrupting(gap: Gap, *given: object, **named: object) -> Solution:
        begun.append(1)
        if len(begun) == 3:
            _thread.interrupt_main()
        time.sleep(0.01)
        return solve(gap, *given, **named)  # type: ignore[arg-type]

    running = threading.active_count()
    with monkeypatch.context() as patched:
        patched.setattr(solving, "solve", interrupting)
        with pytest.raises(KeyboardInterrupt):
            sg.transitions(joins, threads=threads)
    assert len(begun) < 60
    assert threading.active_count() == running
    again = sg.transitions(joins[:3], threads=threads)
    assert {frames_of(motion) for motion in again} == {whole}
