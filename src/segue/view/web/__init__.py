"""A page that plays motions in any browser: one file with everything inside, drawn in 3D by our own script.

`page` puts motions into it. `encode` makes few bytes of poses, `contents` gathers what the page is given; viewer.html,
viewer.css and the scripts are its other half, written in the languages that browsers speak.
"""

from segue.view.web.page import Page, page

__all__ = ["Page", "page"]
