"""State of the whole service, for its operators: accounts, running and queued jobs, disk space and limits."""

from collections.abc import Mapping
from typing import ClassVar

from starlette.responses import Response

from findable.service import instance_figures
from findable.service.instance_figures import Instance
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_form, person_page
from findable.web.path_parts import id_of
from findable.web.query_strings import whole_number
from findable.wording import later

_MAX_DIGITS = 15


class InstancePage(PersonPage, frozen=True, kw_only=True):
    """Variables of instance.html."""

    confirmations: ClassVar[Mapping[str, str]] = {
        "stopped": later("The crawl stops, and keeps its pages."),
        "report": later("The report is stopped."),
        "batch": later("The batch is stopped, with its queued reports."),
    }
    instance: Instance


@person_page("/instance")
def get_instance(request: SignedInRequest) -> InstancePage:
    """Show accounts, running and queued jobs, disk space and limits of the service to its operators."""
    after = whole_number(request.query.get("after", ""), _MAX_DIGITS) or 0
    return InstancePage(instance=instance_figures.view(request.service, request.caller, after))


@person_form("/instance/crawls/{crawl_id}/stop")
def post_stop_crawl(request: SignedInRequest, crawl_id: str) -> Response:
    """Stop a crawl of any account; operators only."""
    instance_figures.stop_crawl(request.service, request.caller, id_of(crawl_id))
    return see_other("/instance?done=stopped")


@person_form("/instance/reports/{report_id}/stop")
def post_stop_report(request: SignedInRequest, report_id: str) -> Response:
    """Stop the generation of a report of any account; operators only."""
    instance_figures.stop_report(request.service, request.caller, id_of(report_id))
    return see_other("/instance?done=report")


@person_form("/instance/batches/{batch_id}/stop")
def post_stop_batch(request: SignedInRequest, batch_id: str) -> Response:
    """Stop a batch of any account; operators only."""
    instance_figures.stop_batch(request.service, request.caller, id_of(batch_id))
    return see_other("/instance?done=batch")
