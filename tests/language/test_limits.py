"""No script can run for ever, fill the memory or upset the interpreter: each limit says what it is."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import pytest

import segue as sg
from segue.language import LanguageError, LimitError, Limits, Session
from segue.language.errors import Source
from segue.language.limits import Budget

HERE = Source("x").end

TOO_MUCH = {
    "def f(x) = f(x + 1); f(1)": "more than 4,000 expressions deep: does one call itself without end?",
    "def f(x) = g(x); def g(x) = [f(x)]; f(1)": "more than 4,000 expressions deep",
    "def f(n) = if n < 1 then 0 else f(n - 1) + f(n - 1); f(60)": "more than 50,000 steps",
    "[[i + j for j in 1..9000] for i in 1..9000]": "more than 50,000 steps",
    "concat(clips.walk for i in 1..10000000000)": "a list of 10,000,000,000 items is too long: at most 10,000",
    "1..1e300": "a list of 1e+300 items is too long",
    "1e308 * 10": "the number is too large",
    "1e308 + 1e308": "the number is too large",
    "-1e308 - 1e308": "the number is too large",
    "1e999": "the number is too large",
    "9" * 10_000: "the number is too large",
    "1 / 1e-320": "the number is too large",
    "'" + "x" * 501 + "'": "a text of 501 characters is too long: at most 500",
    "def f(s, n) = if n < 1 then s else f(s + s, n - 1); f('xx', 60)": "characters is too long",
    "retime(clips.walk, 1e300)": "'start' is 1e+300: numbers given to functions go from -1,000,000 to 1,000,000",
    "retime(clips.walk, -1e7)": "'start' is -1e+07",
    "retime(clips.walk, 999999)": "times go from -1,000,000 to 1,000,000 s",
    "retime(retime(clips.walk, -999999), 0, 900000)": "times go from -1,000,000 to 1,000,000 s",
    "retime(clips.walk, 0, 1e-300)": "is empty",
    "retime(clips.walk, 0, duration=1e-320)": "",
    "retime(clips.walk, 0, duration=1e308)": "'duration' is 1e+308",
    "retime(clips.walk - clips.walk, 0, duration=1)": "",
    "concat(clips.walk, clips.walk, gap=1e300)": "'gap' is 1e+300",
    "move_to(clips.stand, [1e308, 1e308])": "'at' is 1e+308",
    "def f(m, n) = if n < 1 then m else f(m + m, n - 1); f(clips.walk, 60)": "more than 30,000 functions",
    "def f(m, n) = if n < 1 then m else f(m & m, n - 1); f(clips.walk, 60)": "more than 30,000 functions",
    "def f(m, n) = if n < 1 then m else f(concat(m, m), n - 1); f(clips.walk, 60)": "more than 30,000 functions",
    "def f(m, n) = if n < 1 then m else f(blend(m, m), n - 1); f(clips.walk, 60)": "more than 30,000 functions",
    "def f(m, n) = if n < 1 then m else f(insert(m, 1, m), n - 1); f(clips.walk, 60)": "more than 30,000 functions",
    "m = concat(clips.walk for i in 1..500); concat(m for i in 1..10000)": "more than 30,000 functions",
    "[concat(clips.walk for i in 1..100) for j in 1..1000]": "more than 30,000 functions",
    "save(retime(clips.walk, 0, duration=900000), 'x.bvh')": "54,000,001 more frames are too many: a script writes",
    "save(clips.walk, 'x.bvh', fps=1e300)": "'fps' is 1e+300",
    "save(clips.walk, 'x.bvh', fps=1000000)": "more frames are too many: a script writes at most 500",
    "m = concat(clips.walk for i in 1..400); plot(m, 'x.png')": "11,200 intervals are too many for a picture",
    "[save(clips.walk, 'x.bvh', fps=100) for i in 1..2]": "more frames are too many",
}


@pytest.mark.parametrize(("text", "message"), TOO_MUCH.items(), ids=[text[:40] for text in TOO_MUCH])
def test_too_much_is_refused_with_the_limit(tmp_path: Path, text: str, message: str) -> None:
    session = Session(tmp_path, Limits(steps=50_000, functions=30_000, frames=500), say=lambda text: None)
    with pytest.raises(LanguageError) as caught:
        session.run(text)
    assert message in caught.value.message


def test_deep_recursion_within_the_limits_is_fine() -> None:
    assert Session().run("def f(n) = if n < 1 then 0 else f(n - 1) + 1; f(1000)") == 1000.0


def test_a_script_that_takes_too_long_is_stopped() -> None:
    session = Session(limits=Limits(seconds=0.05, steps=10**12))
    with pytest.raises(LimitError, match=r"longer than 0\.05 seconds"):
        session.run("[[[1 for k in 1..9000] for j in 1..9000] for i in 1..9000]")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timer that interrupts")
def test_one_long_computation_is_stopped_too() -> None:
    budget = Budget(Limits(seconds=0.01))
    rung = signal.getsignal(signal.SIGALRM)
    with pytest.raises(LimitError, match=r"longer than 0\.01 seconds"), budget.watched(HERE):
        threading.Event().wait(60)
    assert signal.getsignal(signal.SIGALRM) is rung
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.parametrize("seconds", [1e-9, 1e9, 1e300, float("inf")])
def test_any_time_can_be_given(seconds: float) -> None:
    session = Session(limits=Limits(seconds=seconds))
    if seconds > 1:
        assert session.run("1 + 1") == 2.0
    else:
        with pytest.raises(LimitError, match="longer than 1e-09 seconds"):
            session.run("1 + 1")


def test_scripts_run_in_threads_as_well() -> None:
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(Session().run("1 + 1")))
    thread.start()
    thread.join()
    assert found == [2.0]


def test_motions_count_only_while_they_are_held() -> None:
    session = Session(limits=Limits(functions=1_000))
    session.run(";".join(["m = clips.walk"] + ["m = retime(m, 0)"] * 200))
    with pytest.raises(LimitError, match="more than 1,000 functions of time together"):
        session.run("[retime(clips.walk, i) for i in 1..200]")


def test_blends_inside_blends_are_counted() -> None:
    session = Session(limits=Limits(blends=5))
    blends = ["m = blend(m, clips.walk)"]
    session.run(";".join(["m = clips.walk", *blends * 5, "move_to(m)"]))
    with pytest.raises(LimitError, match="more than 5 blends lie inside one another"):
        session.run(";".join(blends))


def test_bytes_read_are_counted(tmp_path: Path) -> None:
    sg.save(sg.clips.clip("stand"), tmp_path / "a.bvh")
    size = (tmp_path / "a.bvh").stat().st_size
    session = Session(tmp_path, Limits(file_bytes=int(1.5 * size)))
    session.run("load('a.bvh')")
    with pytest.raises(LimitError, match="the script reads more than"):
        session.run("[load('a.bvh') for i in 1..2]")
