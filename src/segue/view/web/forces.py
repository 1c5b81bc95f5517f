"""Old place of `ShownForces`, which is in `contents`."""

from segue.view.web.contents import ShownForces as ShownForces
