"""Simulate two dancers in hold: compliant hands between them, and a follower that is led."""

from segue.dance.simulation.couple.forces import HoldRecord
from segue.dance.simulation.couple.lead import Lead
from segue.dance.simulation.couple.simulated import CoupleSimulation, SimulatedCouple, simulate_couple

__all__ = ["CoupleSimulation", "HoldRecord", "Lead", "SimulatedCouple", "simulate_couple"]
