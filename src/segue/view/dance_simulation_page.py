"""Old place of the pages of simulated dances, which are in `dance_simulation`."""

from segue.view.dance_simulation import couple_page as couple_page
from segue.view.dance_simulation import dance_page as dance_page
from segue.view.dance_simulation import floor_forces as floor_forces
