"""Libraries and their versions, told by address or banner."""

import pytest

from findable.artifacts.registry import Absent
from findable.artifacts.responses.libraries import Libraries, find_in_url
from findable.artifacts.tables.advisories import ADVISORIES, advisories_for
from tests.checks.harness import artifacts, page


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/npm/jquery@3.4.1/dist/jquery.min.js", ("jQuery", (3, 4, 1))),
        ("/ajax/libs/jquery/3.4.1/jquery.slim.min.js", ("jQuery", (3, 4, 1))),
        ("/js/jquery-1.12.4.min.js", ("jQuery", (1, 12, 4))),
        ("/ajax/libs/jqueryui/1.12.1/jquery-ui.min.js", ("jQuery UI", (1, 12, 1))),
        ("/bootstrap/3.3.7/js/bootstrap.min.js", ("Bootstrap", (3, 3, 7))),
        ("/ajax/libs/moment.js/2.29.1/moment-with-locales.min.js", ("Moment.js", (2, 29, 1))),
        ("/ajax/libs/angularjs/1.5/angular.min.js", ("AngularJS", (1, 5))),
        ("/js/jquery.min.js?ver=1.0.0", None),
        ("/js/jquery-migrate-1.2.1.js", None),
        ("/npm/bootstrap-icons@1.0.0/x.js", None),
        ("/npm/@angular/core@1.2.3/x.js", None),
        ("/jquery/1.2.3/plugin.js", None),
        ("/js/vue-router-3.0.1.js", None),
        ("/js/my-chart-1.0.0.js", None),
    ],
)
def test_an_address_tells_library_and_version(path: str, expected: tuple[str, tuple[int, ...]] | None) -> None:
    assert find_in_url(f"https://cdn.example.net{path}") == expected


@pytest.mark.parametrize(
    ("banner", "expected"),
    [
        ("/*! jQuery v3.6.0 | (c) OpenJS */", "jQuery 3.6.0"),
        ("/*!\n * jQuery JavaScript Library v1.8.3\n", "jQuery 1.8.3"),
        ("/*! jQuery UI - v1.11.4 - 2015", "jQuery UI 1.11.4"),
        ("/*!\n * Bootstrap v3.3.7 (http://getbootstrap.com)", "Bootstrap 3.3.7"),
        ("/*\n AngularJS v1.5.8\n", "AngularJS 1.5.8"),
        ("/**\n * @license\n * Lodash <https://lodash.com/>\n", None),
        ("//! moment.js\n//! version : 2.24.0\n", "Moment.js 2.24.0"),
        ("/*!\n * Vue.js v2.6.11\n", "Vue.js 2.6.11"),
        ("/*! jQuery Migrate v3.3.2 */", None),
        ("(function(){})()", None),
    ],
)
def test_a_banner_tells_library_and_version(banner: str, expected: str | None) -> None:
    url = "https://www.example.com/app.js"
    made = artifacts(page(head="<script src=/app.js></script>"), assets={url: {"body": banner}}).get(Libraries)

    assert not isinstance(made, Absent)
    assert [f"{item.name} {item.version_text}" for item in made.items] == ([expected] if expected else [])


def test_advisories_hold_for_the_versions_they_name() -> None:
    assert advisories_for("jQuery", (3, 5, 0)) == []
    assert [item.id for item in advisories_for("jQuery", (3, 4, 1))] == ["CVE-2020-11023", "CVE-2020-11022"]
    assert [item.id for item in advisories_for("Bootstrap", (3, 4, 1))] == ["CVE-2024-6485"]
    assert [item.id for item in advisories_for("Bootstrap", (4, 3, 0))] == ["CVE-2019-8331"]
    assert advisories_for("AngularJS", (1, 5))[0].severity == "high"
    assert advisories_for("AngularJS", (1, 8, 3))[0].id == "CVE-2022-25869"
    assert advisories_for("Lodash", (4, 18)) == []
    assert advisories_for("Lodash", (4, 17))[0].id == "CVE-2026-4800"


def test_advisories_are_well_formed() -> None:
    assert all(item.severity in ("low", "medium", "high") for item in ADVISORIES)
    assert all(item.fixed is None or item.since < item.fixed for item in ADVISORIES)
