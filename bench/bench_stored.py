"""Measure the stored bytes of one run: packed findings and facts, the packed saved page, the summary, rows by table.

``make bench ARGS="stored DIRECTORY"`` reads a directory of saved pages and analyses each as if all its URLs had responded.
"""

import argparse
import re
from typing import Any

from bench_analysis import saved_page, spread

from findable.capture.saved import dump
from findable.reports.analysis import analyse
from findable.reports.report import canonical
from findable.service.values.report_summary import summary_json
from findable.store.packed_values import pack_analysis, pack_page
from findable.vocabulary import Verdict


def measure(options: argparse.Namespace) -> dict[str, Any]:
    captures = [saved_page(path) for path in sorted(options.pages.rglob("*")) if re.search(r"\.html?(\.gz)?$", path.name)]
    if not captures:
        raise SystemExit(f"no *.html or *.html.gz in {options.pages}")
    reports = [analyse(capture) for capture in captures]
    parts: dict[str, list[float]] = {}
    for capture, report in zip(captures, reports, strict=True):
        for name, size in {
            "analysis": len(pack_analysis(report.to_bytes())),
            "of_it_findings": len(pack_analysis(canonical(report.findings))),
            "of_it_facts": len(pack_analysis(canonical(report.facts))),
            "saved_page": len(pack_page(dump(capture))),
            "summary": len(summary_json(report)),
            "finding_rows": sum(found.verdict is not Verdict.PASSED for found in report.findings),
        }.items():
            parts.setdefault(name, []).append(size)
    return {"pages": len(captures), **{name: spread(sizes) for name, sizes in parts.items()}}
