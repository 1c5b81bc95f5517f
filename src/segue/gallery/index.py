"""The gallery's front page: every exhibit with its two sentences, in one file that needs nothing but its neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from string import Template

from segue.gallery.exhibit import Exhibit, Timing
from segue.gallery.timings import COLUMNS, cells

__all__ = ["front_page"]

_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Segue: the gallery</title>
<style>
:root { color-scheme: light; --ink: #23272e; --soft: #5b626d; --line: #e3e6ea; --blue: #0072b2; }
* { box-sizing: border-box; }
body { margin: 0; background: #f6f7f8; color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
header, main, footer { max-width: 1080px; margin: 0 auto; padding: 0 20px; }
header { padding-top: 44px; }
h1 { font-size: 34px; line-height: 1.2; margin: 0 0 8px; }
h2 { font-size: 22px; line-height: 1.3; margin: 0 0 10px; }
p { margin: 0 0 8px; max-width: 74ch; }
nav { display: flex; flex-wrap: wrap; gap: 6px 18px; margin: 18px 0 26px; font-size: 15px; }
a { color: var(--blue); }
section { background: #fff; border: 1px solid var(--line); border-radius: 10px; padding: 22px 24px; margin: 0 0 22px; }
.paper { color: var(--soft); }
figure { margin: 18px 0 0; }
figure img { display: block; max-width: 100%; height: auto; margin: 0 auto; }
figcaption { color: var(--soft); font-size: 14px; text-align: center; margin-top: 4px; }
.links { margin-top: 16px; font-size: 15px; }
.links a { margin-right: 14px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 15px; }
th, td { text-align: left; padding: 8px 10px; border-bottom: 1px solid var(--line); vertical-align: bottom; }
td { white-space: nowrap; }
td.ours { color: var(--blue); font-weight: 600; }
footer { color: var(--soft); font-size: 14px; padding-bottom: 40px; }
</style>
</head>
<body>
<header>
<h1>Segue: the gallery</h1>
<p>The figures of <cite>Efficient Generation of Motion Transitions using Spacetime Constraints</cite> (Rose, Guenter,
Bodenheimer and Cohen, 1996), made anew by this run of <code>make demo</code>. What was there before is grey; what was
solved goes from blue to red, or is green where one limb was solved alone.</p>
<nav aria-label="Figures">$links</nav>
</header>
<main>
$sections
</main>
<footer><p>Made by Segue $version. The motions open in Blender and other programs.</p></footer>
</body>
</html>
""")


def front_page(exhibits: Sequence[Exhibit], timings: Sequence[Timing], version: str) -> str:
    """Return the page's text; links are relative, so that the folder can be moved as it is."""
    titled = [(f"part-{k + 1}", exhibit) for k, exhibit in enumerate(exhibits)]
    links = [f'<a href="#{mark}">{escape(_short(exhibit.title))}</a>' for mark, exhibit in titled]
    sections = [_section(mark, exhibit) for mark, exhibit in titled]
    return _PAGE.substitute(
        links="\n".join([*links, '<a href="#timings">Timings</a>']),
        sections="\n".join([*sections, _timings(timings)]),
        version=escape(version),
    )


def _short(title: str) -> str:
    return title.partition(":")[0]


def _section(mark: str, exhibit: Exhibit) -> str:
    return "\n".join(
        [
            f'<section id="{mark}">',
            f"<h2>{escape(exhibit.title)}</h2>",
            f'<p class="paper">{escape(exhibit.paper)}</p>',
            f"<p>{escape(exhibit.ours)}</p>",
            *_figures(exhibit),
            *_links(exhibit),
            "</section>",
        ]
    )


def _figures(exhibit: Exhibit) -> Iterator[str]:
    for shown in exhibit.shown:
        name, alt = escape(shown.file), escape(shown.alt)
        image = f'<a href="{name}"><img src="{name}" alt="{alt}" loading="lazy"></a>'
        yield f"<figure>{image}<figcaption>{alt}</figcaption></figure>"


def _links(exhibit: Exhibit) -> Iterator[str]:
    pages = [f'<a href="{escape(file)}">Look around: {escape(what)}</a>' for what, file in exhibit.pages.items()]
    files = [f'<a href="{escape(file)}" download>{escape(file)}</a>' for file in exhibit.files]
    if pages or files:
        yield f'<p class="links">{" ".join([*pages, *files])}</p>'


def _timings(timings: Sequence[Timing]) -> str:
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in COLUMNS)
    rows = []
    for row in cells(timings):
        looks = [' class="ours"' if column == "Segue" else "" for column in COLUMNS]
        rows.append("".join(f"<td{look}>{escape(text)}</td>" for look, text in zip(looks, row, strict=True)))
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return "\n".join(
        [
            '<section id="timings">',
            "<h2>Timings</h2>",
            '<p class="paper">The paper gives the seconds that its two examples took on a 100 MHz Pentium.</p>',
            "<p>Ours were measured in this run on this machine, the best of several. Processors have changed since: "
            "it is the order of magnitude that counts.</p>",
            f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>',
            "</section>",
        ]
    )
