"""Old place of `timeline`, which is in `expressions`."""

from segue.view.expressions import timeline as timeline
