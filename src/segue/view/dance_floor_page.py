"""Old place of `floor_page`, which is in `dance_floor`."""

from segue.view.dance_floor import floor_page as floor_page
