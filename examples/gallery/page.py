"""Front page of the gallery: a section for every exhibit, and a table of times measured beside the paper's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from string import Template

import segue as sg
from examples.gallery.exhibit import Exhibit, Timing
from examples.gallery.figures_7_to_10 import walk_and_salute, walk_to_run
from segue.body.human import HUMAN
from segue.view.picture import TEXT, Picture, blank, colour

COLUMNS = (
    "transition",
    "degrees of freedom",
    "gap",
    "coefficients",
    "iterations",
    "Segue",
    "the paper",
    "times faster",
)
_WIDTHS = (0.23, 0.175, 0.06, 0.115, 0.1, 0.1, 0.1, 0.12)
_RUNS = 9
_PAPER_BODY, _PAPER_ARM = 72.0, 20.0  # s on a 100 MHz Pentium [Rose1996, section 5]

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
Bodenheimer and Cohen, 1996), made by this run of <code>make demo</code>. Frames of the clips are grey. Frames that
Segue solved go from blue to red, or are green where Segue solved one limb alone.</p>
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
    """Return the text of the page. Its links are relative, so that the folder can be moved."""
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
            "<p>The times of Segue are the best of several in this run on this machine. Processors have changed since, "
            "so compare orders of magnitude.</p>",
            f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>',
            "</section>",
        ]
    )


def measured() -> list[Timing]:
    """Measure the time to prepare and to solve gaps, and return the best of several runs of each."""
    return [
        _timing("whole body, figure 8", walk_to_run, _PAPER_BODY),
        _timing("one arm, figure 9, twice", walk_and_salute, _PAPER_ARM),
    ]


def _timing(what: str, make: Callable[[], sg.Motion], paper: float) -> Timing:
    runs = [make().fills for _ in range(_RUNS)]
    # the best run is the least disturbed by other programs
    spent = min(sum(sum(fill.seconds) for fill in fills) for fills in runs)
    fills = runs[-1]
    joints = sum(len(HUMAN.dofs_of(track)) for track in fills[0].tracks)
    return Timing(
        what,
        min(joints, len(HUMAN.dof_names)),
        fills[0].stop - fills[0].start,
        fills[0].coefficients,
        sum(fill.iterations for fill in fills),
        spent,
        paper,
    )


def cells(timings: Sequence[Timing]) -> list[tuple[str, ...]]:
    """Return the rows of the table as text."""
    return [
        (
            timing.what,
            str(timing.joints),
            f"{timing.gap:.1f} s",
            str(timing.coefficients),
            str(timing.iterations),
            f"{1000 * timing.ours:.1f} ms",
            f"{timing.paper:g} s",
            f"{timing.paper / timing.ours:,.0f}",
        )
        for timing in timings
    ]


def table(timings: Sequence[Timing]) -> Picture:
    """Return the table as a picture."""
    canvas = blank((10.4, 0.12 + 0.42 * (len(timings) + 1)))
    axes = canvas.add_axes((0.01, 0.02, 0.98, 0.96))
    axes.set_axis_off()
    drawn = axes.table(
        cells(timings),
        colLabels=COLUMNS,
        colWidths=_WIDTHS,
        loc="center",
        cellLoc="left",
        colLoc="left",
        edges="horizontal",
    )
    drawn.auto_set_font_size(False)
    drawn.set_fontsize(10)
    drawn.scale(1.0, 1.9)
    for (row, column), cell in drawn.get_celld().items():
        cell.set_edgecolor("0.8")
        cell.set_text_props(
            color=colour("blue") if row and column == 5 else TEXT, weight="bold" if row == 0 else "normal"
        )
    return Picture(canvas)
