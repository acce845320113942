"""`findable watch`, as it is typed."""

import json
from pathlib import Path

import pytest

from findable.service.projects import projects, schedules
from findable.service.runtime.service import Service
from findable.service.values.schedule_values import ScheduleCreate
from tests.cli.conftest import Run
from tests.service import samples


@pytest.mark.full
def test_schedules_and_open_alerts_are_listed_in_the_words_of_mails(findable: Run, tmp_path: Path) -> None:
    empty = findable("watch")
    assert (empty.returncode, empty.stdout) == (0, "There is no schedule.\n"), empty.stderr
    service = Service.open(samples.settings(tmp_path / "data"))
    caller = samples.owner(service)
    project = projects.make(service, caller, "shop.example").project
    schedules.create(service, caller, ScheduleCreate(project=project.name, every="week", at="mon 06:00"))
    values = {"account_id": caller.account_id, "project_id": project.id, "rule": "rating-fell", "cause": "title-present", "phase": "open"}
    with service.store.write() as session:
        details = '{"check": "title-present"}'
        number = session.alerts.add({**values, "state": "{}", "details": details, "created_at": 1, "examples": "[]", "pages_count": 3})
        session.alerts.change(number, opened_at=1_795_000_000)
    service.close()

    words = "Pages whose rating fell: 3. New problem: Does the page have a title?"
    shown = findable("watch")
    assert shown.returncode == 0, shown.stderr
    assert "shop.example" in shown.stdout
    assert "week mon 06:00 UTC" in shown.stdout
    assert words in shown.stdout
    (alert,) = json.loads(findable("watch", "--format", "json").stdout)["alerts"]
    assert alert["message"] == words
