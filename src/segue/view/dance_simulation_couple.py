"""Old place of the sheet of a couple, which is in `dance_simulation`."""

from segue.view.dance_simulation import GENTLE as GENTLE
from segue.view.dance_simulation import couple_hold as couple_hold
from segue.view.dance_simulation import simulated_couple as simulated_couple
