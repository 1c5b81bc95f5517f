"""A page that plays motions in any browser: one file with everything inside, drawn in 3D by our own script.

`page` puts motions into it, and `contents` holds everything that the script reads. The other half of the page is
viewer.html, viewer.css and the scripts.
"""

from segue.view.web.pages import Page, page

__all__ = ["Page", "page"]
