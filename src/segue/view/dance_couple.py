"""Old place of `couple_film`, which is in `dance_analyser`."""

from segue.view.dance_analyser import couple_film as couple_film
from segue.view.dance_figures import COUPLE_COLOURS as COUPLE_COLOURS
