"""Simulate dances: joint torques, gravity and a floor, under a hierarchy of motor control [Lake1990, chapter 6]."""

from segue.dance.simulation.assistance import Help, Mode
from segue.dance.simulation.energy import Energetics, energetics
from segue.dance.simulation.engine import MissingEngineError
from segue.dance.simulation.environment import GRAVITIES, Environment
from segue.dance.simulation.push import Push, read_pushes
from segue.dance.simulation.result import Fall, Landing, Outside, SimulatedDance
from segue.dance.simulation.running import History
from segue.dance.simulation.solo import SoloSimulation, simulate

__all__ = [
    "GRAVITIES",
    "Energetics",
    "Environment",
    "Fall",
    "Help",
    "History",
    "Landing",
    "MissingEngineError",
    "Mode",
    "Outside",
    "Push",
    "SimulatedDance",
    "SoloSimulation",
    "energetics",
    "read_pushes",
    "simulate",
]
