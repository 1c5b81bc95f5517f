"""The bare spacetime problem of 0.6 s and 44 DOF: Segue's solver against Pinocchio with NumPy and SciPy, one thread.

Every solver gets the same problems from real clips in the same run, taking turns, and starts from the same path.
Everything that does not depend on the unknowns is prepared before the clock starts, for all of them. Times are those
that the processor spent: on a busy machine the wall clock would favour whoever is done before being interrupted.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from tests.support.pinocchio_solvers import FREE, PinocchioProblem, Solution, bfgs, gauss_newton, lbfgs
from tests.support.spacetime_problems import COEFFICIENTS, DURATION, OBJECTIVES, ROOT, Problem, random_problems

from benchmarks import Row
from benchmarks._one_thread import on_one_thread
from segue.spacetime import Gap, Objective, solve

PROBLEMS = 12
ROUNDS = 7
OURS = "segue"
TARGETS = {"Pinocchio Gauss-Newton": 25.0, "Pinocchio SciPy BFGS": 500.0}


@dataclass(frozen=True)
class Contender:
    """A solver with its problem, and in how many rounds it runs: slow ones run once."""

    solve: Callable[[], Solution]
    rounds: int = ROUNDS


@dataclass(frozen=True)
class Result:
    """Result of a solver on one problem: its median time, and its energy relative to the least that any solver
    found."""

    seconds: float
    excess: float
    iterations: int


def main() -> list[Row]:
    """Race all solvers in a process of their own."""
    return on_one_thread(contest)


def contest() -> list[Row]:
    """Return the report on all objectives."""
    problems = list(random_problems(PROBLEMS, OBJECTIVES[0]))
    rows = []
    for objective in OBJECTIVES:
        rows += _report(objective, [_race(replace(problem, objective=objective)) for problem in problems])
    return rows


def segue_solver(problem: Problem) -> Callable[[], Solution]:
    """Return Segue's solver with a problem prepared for it."""
    objective = {
        "torque": Objective(torque=1.0, acceleration=0.5),
        "natural": Objective(torque_change=1.0, jerk=0.3, velocity=100.0),
    }[problem.objective]
    free = np.arange(ROOT, len(problem.tree))
    gap = Gap(problem.figure, problem.ends, DURATION, free, objective, COEFFICIENTS - 4, limits=False)
    _ = gap.problem

    def run() -> Solution:
        found = solve(gap)
        unknowns = gap.control(found.unknowns)[FREE, ROOT:]
        return Solution(unknowns, found.energy, found.iterations, found.evaluations)

    return run


def _race(problem: Problem) -> dict[str, Result]:
    """Let all solvers solve one problem in turns."""
    peer = PinocchioProblem(problem)
    least = gauss_newton(peer, tolerance=1e-10).energy
    contenders = {
        "Pinocchio Gauss-Newton": Contender(lambda: gauss_newton(peer)),
        "Pinocchio SciPy L-BFGS-B": Contender(lambda: lbfgs(peer, least), 1),
        "Pinocchio SciPy BFGS": Contender(lambda: bfgs(peer, least), 1),
        OURS: Contender(segue_solver(problem)),
    }
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    solutions = {}
    for turn in range(ROUNDS):
        for name, contender in contenders.items():
            if turn < contender.rounds:
                start = time.process_time()
                solutions[name] = contender.solve()
                seconds[name].append(time.process_time() - start)
    # one and the same function judges all of them
    energies = {name: peer.energy(solution.unknowns) for name, solution in solutions.items()}
    best = min(least, *energies.values())
    return {
        name: Result(statistics.median(seconds[name]), energies[name] / best - 1.0, solution.iterations)
        for name, solution in solutions.items()
    }


def _report(objective: str, races: list[dict[str, Result]]) -> list[Row]:
    rows = []
    for name in races[0]:
        results = [race[name] for race in races]
        milliseconds = 1e3 * np.median([result.seconds for result in results])
        iterations = np.median([result.iterations for result in results])
        excess = [result.excess for result in results]
        figure = (
            f"median {milliseconds:.3g} ms, {iterations:g} iterations; energy above the least by "
            f"{np.median(excess):.0e}, at worst {max(excess):.0e}"
        )
        ratio = None
        if name != OURS:
            ratio = float(np.median([race[name].seconds / race[OURS].seconds for race in races]))
        rows.append(Row(f"{objective}: {name}", figure, ratio, TARGETS.get(name)))
    return rows


if __name__ == "__main__":
    for row in main():
        print(row)
