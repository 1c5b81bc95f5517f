"""Output of `segue check`: a table, JSON, and JUnit XML for servers of continuous integration."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from segue.cli.console import output, say
from segue.errors import printable
from segue.filesystem import atomic_write
from segue.plausibility import Finding, Report, Severity

_STYLES = {Severity.FINE: "green", Severity.SUSPICIOUS: "yellow", Severity.FAULT: "bold red"}


@dataclass(frozen=True)
class Checked:
    """A checked clip: its report, or one sentence why it could not be checked. seconds: duration of the check."""

    clip: str
    report: Report | None
    error: str = ""
    seconds: float = 0.0

    @property
    def rank(self) -> tuple[int, float]:
        """Severity for sorting: clips that cannot be read come first, then the worst finding."""
        if self.report is None:
            return len(Severity), 0.0
        return max((finding.badness for finding in self.report.findings), default=(0, 0.0))


def show_one(report: Report) -> None:
    """Print every finding of one clip, and the result."""
    table = Table(box=None, pad_edge=False)
    table.add_column("measure", no_wrap=True)
    for column in ("value", "suspicious", "fault"):
        table.add_column(column, justify="right")
    for column in ("", "severity", "where"):
        table.add_column(column)
    for found in report.findings:
        limits = (f"> {limit:g}" if math.isfinite(limit) else "" for limit in found.threshold)
        table.add_row(found.measure, f"{found.value:.1f}", *limits, found.unit, _styled(found.severity), found.where)
    output.print(table)
    measures = report.measures
    frames = f"{measures.frames} frame{'' if measures.frames == 1 else 's'}"
    say(f"{measures.start:.2f} to {measures.stop:.2f} s, {frames}: {_summary(report)}")


def show_all(found: Sequence[Checked]) -> None:
    """Print a line for each clip, the worst first, and how many there are of each severity.

    Lines are as long as they need to be: logs of CI servers are searched for paths.
    """
    width = max((len(each.clip) for each in found), default=0)
    for each in sorted(found, key=lambda each: each.rank, reverse=True):
        words, style, sentence = "not read", "bold red", each.error
        if each.report is not None:
            words, style = str(each.report.severity), _STYLES[each.report.severity]
            bad = [finding for finding in each.report.findings if finding.severity > Severity.FINE]
            worst = max(bad, key=lambda finding: finding.badness, default=None)
            more = f"; and {len(bad) - 1} more" if len(bad) > 1 else ""
            sentence = f"{worst}{more}" if worst else ""
        line = Text.assemble((f"{words:<12}", style), printable(f"{each.clip:<{width}}  {sentence}".rstrip()))
        output.print(line, soft_wrap=True)
    counts = [f"{sum(each.report is None for each in found)} not read"]
    for severity in reversed(Severity):
        count = sum(each.report is not None and each.report.severity is severity for each in found)
        counts.append(f"{count} {severity}")
    say(f"{len(found)} clips: {', '.join(counts)}")


def write_json(found: Sequence[Checked], path: str) -> None:
    """Write all reports to a file, or to stdout if the path is "-"."""
    entries = []
    for each in found:
        report: dict[str, Any] = {"severity": None} if each.report is None else each.report.to_dict()
        entries.append({"clip": each.clip, "error": each.error or None} | report)
    worst = max((each.report.severity for each in found if each.report is not None), default=None)
    text = json.dumps({"severity": None if worst is None else str(worst), "clips": entries}, indent=2, allow_nan=False)
    if path == "-":
        print(text)
    else:
        _write(Path(path), f"{text}\n".encode())


def write_junit(found: Sequence[Checked], path: Path, *, strict: bool) -> None:
    """Write JUnit XML: a suite for each clip, a case for each measure, a failure for each fault.

    strict: suspicious findings are failures too; else they are noted in the case's output.
    """
    suites = ElementTree.Element("testsuites", name="segue check")
    for each in found:
        suites.append(_suite(each, Severity.SUSPICIOUS if strict else Severity.FAULT))
    for name in ("tests", "failures", "errors"):
        suites.set(name, str(sum(int(suite.get(name, "0")) for suite in suites)))
    suites.set("time", f"{sum(each.seconds for each in found):.3f}")
    ElementTree.indent(suites)
    _write(path, ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True))


def _write(path: Path, content: bytes) -> None:
    with atomic_write(path) as beside:
        beside.write_bytes(content)


def _suite(checked: Checked, least: Severity) -> ElementTree.Element:
    findings = checked.report.findings if checked.report is not None else ()
    failed = sum(finding.severity >= least for finding in findings)
    suite = ElementTree.Element(
        "testsuite",
        name=_printable(checked.clip),
        tests=str(max(len(findings), 1)),
        failures=str(failed),
        errors=str(int(checked.report is None)),
        skipped="0",
        time=f"{checked.seconds:.3f}",
    )
    if checked.report is None:
        case = ElementTree.SubElement(suite, "testcase", classname=_printable(checked.clip), name="read", time="0")
        error = ElementTree.SubElement(case, "error", message=_printable(checked.error), type="error")
        error.text = _printable(checked.error)
    for finding in findings:
        _add_case(suite, checked.clip, finding, least)
    return suite


def _add_case(suite: ElementTree.Element, clip: str, finding: Finding, least: Severity) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname=_printable(clip), name=finding.measure, time="0")
    if finding.severity >= least:
        failure = ElementTree.SubElement(case, "failure", message=str(finding), type=str(finding.severity))
        failure.text = str(finding)
    elif finding.severity > Severity.FINE:
        ElementTree.SubElement(case, "system-out").text = str(finding)


def _printable(text: str) -> str:
    """Return text without characters that XML does not allow."""
    return "".join(c if c in "\t\n" or 0x20 <= ord(c) < 0xD800 or 0xE000 <= ord(c) < 0xFFFE else "?" for c in text)


def _styled(severity: Severity) -> Text:
    return Text(str(severity), style=_STYLES[severity])


def _summary(report: Report) -> str:
    suspicious = sum(finding.severity is Severity.SUSPICIOUS for finding in report.findings)
    if not report.faults and not suspicious:
        return "nothing found"
    faults = f"{len(report.faults)} fault{'' if len(report.faults) == 1 else 's'}"
    return f"{faults}, {suspicious} suspicious"
