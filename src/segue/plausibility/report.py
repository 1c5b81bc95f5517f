"""The report on a motion: its findings, the worst severity among them, and all measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.plausibility.baseline import added_findings
from segue.plausibility.findings import Finding, Severity, findings_of
from segue.plausibility.measures import Measures, measure
from segue.plausibility.observed import Observed, observe
from segue.plausibility.thresholds import BASELINE, Thresholds


@dataclass(frozen=True)
class Report:
    """One finding for each measure, in the frames from `measures.start` to `measures.stop`."""

    findings: tuple[Finding, ...]
    measures: Measures
    thresholds: Thresholds

    @property
    def severity(self) -> Severity:
        """The severity of the worst finding."""
        return max((finding.severity for finding in self.findings), default=Severity.FINE)

    @property
    def faults(self) -> tuple[Finding, ...]:
        """The findings that are faults."""
        return tuple(finding for finding in self.findings if finding.severity is Severity.FAULT)

    def problems(self, *, strict: bool = False) -> list[str]:
        """Return a sentence for each fault, and if strict for each suspicious finding; none if the motion passes."""
        least = Severity.SUSPICIOUS if strict else Severity.FAULT
        return [str(finding) for finding in self.findings if finding.severity >= least]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON: severity, findings and all measures."""
        found = {"severity": str(self.severity), "findings": [finding.to_dict() for finding in self.findings]}
        return found | self.measures.to_dict()


def check(
    motion: Motion,
    *,
    baseline: Motion | Sequence[Motion] | None = None,
    thresholds: Thresholds | None = None,
    added: Thresholds = BASELINE,
    start: float | None = None,
    stop: float | None = None,
    ground: Ground | None = None,
) -> Report:
    """Check whether a body with mass could move like this, in the frames from start to stop (s).

    Frames outside the window do not count, but are seen: derivatives and contacts come from the whole motion.
    baseline: the motion, or the motions, that this one was made from. Then only what it adds to them counts, by the
    thresholds `added`, and frames that none of them has are judged as without a baseline. ground: what the body
    stands on, found where not given.
    """
    seen = observe(motion, ground)
    if baseline is None:
        return examine(seen, start, stop, thresholds=thresholds)
    sources = [observe(each, ground) for each in ([baseline] if isinstance(baseline, Motion) else baseline)]
    return examine(seen, start, stop, thresholds=thresholds, sources=sources, added=added)


def examine(
    seen: Observed,
    start: float | None = None,
    stop: float | None = None,
    *,
    thresholds: Thresholds | None = None,
    sources: Sequence[Observed] = (),
    added: Thresholds = BASELINE,
) -> Report:
    """Check what was observed of a motion from start to stop (s), as `check` does.

    Use it to look at several windows of one motion: `observe` takes most of the time.
    """
    chosen = seen.within(start, stop)
    limits = Thresholds() if thresholds is None else thresholds
    measures = measure(seen, chosen)
    if sources:
        return Report(added_findings(seen, sources, chosen, limits, added), measures, limits)
    return Report(findings_of(measures, limits), measures, limits)
