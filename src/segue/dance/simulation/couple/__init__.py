"""Two simulated dancers in hold: compliant hands between them, and a follower who is led."""

from segue.dance.simulation.couple.lead import Lead
from segue.dance.simulation.couple.record import HoldRecord
from segue.dance.simulation.couple.result import SimulatedCouple
from segue.dance.simulation.couple.simulate_couple import simulate_couple

__all__ = ["HoldRecord", "Lead", "SimulatedCouple", "simulate_couple"]
