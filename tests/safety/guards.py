"""Every guard with what takes its place when it is disabled, and the tests that must fail then: ``make test-guards-off``, part of `make test-full`.

A test of a guard says something only if it is red without the guard. The product knows nothing of this: `guards_off.py` puts the
replacement in its place inside the process of the tests.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from msgspec.structs import replace

from findable.fetch.egress_guard import Refusal

Replacement = Callable[[Any], Any]
"""From what stands there to what stands there instead."""


@dataclass(frozen=True)
class Guard:
    """One guard."""

    what: str
    instead: Sequence[tuple[str, Replacement]]
    """``module:name`` or ``module:Class.name``, and what takes its place."""
    red: Sequence[str]
    """Tests that fail without it; of a test with cases at least one case."""


def says(value: Any) -> Replacement:
    """A function that always answers that."""
    return lambda original: lambda *args, **kwargs: value


def becomes(value: Any) -> Replacement:
    """A constant of another value."""
    return lambda original: value


def hands_back(number: int = 0) -> Replacement:
    """A function that gives one of its arguments back as it is."""
    return lambda original: lambda *args, **kwargs: args[number]


NOTHING = says(None)
OFF_THE_GUARD = [(f"findable.fetch.egress_guard:Guard.{name}", NOTHING) for name in ("check_url", "check_address", "check_addresses")]


def lets_pass(words: str) -> Replacement:
    """A rule of the guard that refuses nothing for the reason with these words."""

    def instead(original: Any) -> Any:
        def check(*args: Any) -> Refusal | None:
            reason: Refusal | None = original(*args)
            return None if reason and words in reason.words else reason

        return check

    return instead


def _opens_every_socket(original: Any) -> Any:
    def open_socket(self: Any, purpose: int, address: Any) -> Any:
        allowed = type(self.guard)(extra_ports=range(65536))
        allowed.check_address = lambda *args: None
        kept, self.guard = self.guard, allowed
        try:
            return original(self, purpose, address)
        finally:
            self.guard = kept

    return open_socket


def _any_token(original: Any) -> Any:
    import jwt

    del original
    return lambda self, token, keys, nonce: jwt.decode(token, options={"verify_signature": False})


def _no_own_address(original: Any) -> Any:
    def __init__(self: Any, allow_targets: Any = (), own_addresses: Any = (), **more: Any) -> None:  # noqa: N807 - it takes its place
        original(self, allow_targets, (), **more)

    return __init__


def _uncapped(original: Any) -> Any:
    def __init__(self: Any, content_encoding: str, cap_bytes: int) -> None:  # noqa: N807 - it takes its place
        original(self, content_encoding, cap_bytes * 3)

    return __init__


def _wide_order(original: Any) -> Any:
    return lambda *args, **more: original(*args, **{**more, "wire_cap_bytes": 2_000_000_000})


def _ignores_end_of_keys(original: Any) -> Any:
    """Keys are found as if nobody had revoked them and none ended."""

    def key_by_hash(self: Any, hashed: bytes) -> Any:
        found = original(self, hashed)
        return found and (found[0]._replace(revoked_at=None, expires_at=None), found[1])

    return key_by_hash


def _forgets_whose(original: Any) -> Any:
    def method(self: Any, owner: Any, *args: Any, **more: Any) -> Any:
        return original(self, "nobody", *args, **more)

    return method


def _unescaped(original: Any) -> Any:
    def environment(*args: Any) -> Any:
        made = original(*args)
        made.autoescape = False
        return made

    return environment


def _unbounded(original: Any) -> Any:
    def run(function: str, request: bytes, limits: Any) -> Any:
        return original(function, request, replace(limits, time_s=25.0, memory_bytes=8 * 1024**3, output_bytes=10**9))

    return run


def redrawn_whatever_it_says(request: bytes) -> bytes:
    """The drawing of pictures without its bounds; runs in a process of its own."""
    from findable.service.reports import image_decoding

    image_decoding.MAX_PIXELS = image_decoding.MAX_SIDE_PX = image_decoding.MAX_ICONS = 10**12
    return image_decoding.redraw(request)


def _anybodys_report(original: Any) -> Any:
    def owned(session: Any, caller: Any, report_id: int) -> Any:
        row = session.reports.by_id(report_id)
        return row if row is not None else original(session, caller, report_id)

    return owned


def _allowed(original: Any) -> Any:
    from findable.service.results.guest_access import Decision

    def may_see(service: Any, session: Any, row: Any, link: Any, viewer: Any, run: Any = None) -> Any:
        return Decision.NOT_FOUND if row is None or link is None else Decision.ALLOWED

    return may_see


def _asks_no_more(original: Any) -> Any:
    def found(self: Any, session: Any, public_id: str) -> Any:
        row = session.reports.by_public_id(public_id)
        return row, row and session.links.of("report", row.id)

    return found


def _key_from_anywhere(original: Any) -> Any:
    def bearer_token(headers: Any, query: Any) -> str:
        return str(original(headers, {}))

    return bearer_token


def _at_once(original: Any) -> Any:
    @contextmanager
    def turn(self: Any) -> Iterator[None]:
        yield

    return turn


def _wide_fields(original: Any) -> Any:
    def parse_fields(*args: Any, **more: Any) -> Any:
        wide = [type(value)(10**9, 10**9) if type(value).__name__ == "Bounds" else value for value in args]
        names = original.__code__.co_varnames[: original.__code__.co_argcount]
        if "bounds" in names and names.index("bounds") >= len(wide):
            from findable.web.bodies import Bounds

            more["bounds"] = Bounds(10**9, 10**9)
        return original(*wide, **more)

    return parse_fields


def _reads_the_environment(original: Any) -> Any:
    def set_options(self: Any, *args: Any) -> None:
        import pycurl

        original(self, *args)
        self.curl.unsetopt(pycurl.PROXY)
        self.curl.setopt(pycurl.NOPROXY, "")
        self.curl.setopt(pycurl.NETRC, pycurl.NETRC_OPTIONAL)

    return set_options


def _always_with_credentials(original: Any) -> Any:
    def page_lines(url: str, identity: Any, agent: str, *, with_credentials: bool = True) -> Any:
        return original(url, identity, agent)

    return page_lines


def _works_again(original: Any) -> Any:
    """A one-time link that is not used up."""
    known: dict[bytes, int] = {}

    def use_link(self: Any, token_hash: bytes, *args: Any) -> Any:
        found = original(self, token_hash, *args)
        known.update({} if found is None else {token_hash: found})
        return known.get(token_hash)

    return use_link


class _LikeAnything(str):
    """A text that is equal to every other."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


def _never_reads_on(original: Any) -> Any:
    async def discard(self: Any) -> None:
        return

    return discard


def _sees_the_owner_once(original: Any) -> Any:
    """A form whose sender is not looked up again once it has arrived."""

    async def owned_form(self: Any, request: Any, public_id: str, *bounds: Any) -> Any:
        visit = await request.service.run(lambda service: self.owned_visit(request, service, public_id))
        return replace(visit, fields=await request.fields(*bounds))

    return owned_form


SAFETY, WEB, SERVICE, EXPORT, FETCH = "tests/safety", "tests/web", "tests/service", "tests/export", "tests/fetch"
GUARD_TESTS, LIVE_TESTS, SERVICE_TESTS = (f"{SAFETY}/test_egress_{name}.py" for name in ("guard", "live", "service"))
BROWSER_TESTS = f"{SAFETY}/test_browser_egress.py"
VISIBLE = f"{SERVICE_TESTS}::test_s1_s2_s3_s5_s6_s7_s13_s14_s15_what_can_be_seen_in_the_address_is_422"

GUARDS: dict[str, Guard] = {
    # --- what leaves
    "ip-addresses": Guard(
        "table of special IP addresses",
        [("findable.fetch.egress_guard:is_special", says(False))],
        [
            f"{GUARD_TESTS}::test_s1_special_purpose_blocks_are_refused",
            f"{GUARD_TESTS}::test_s3_addresses_with_a_private_one_inside_are_refused",
            f"{GUARD_TESTS}::test_s5_addresses_without_a_host_are_refused",
            f"{GUARD_TESTS}::test_s6_every_spelling_of_loopback_is_refused",
            VISIBLE,
        ],
    ),
    "metadata": Guard(
        "refusal of metadata addresses inside allowed networks",
        [("findable.fetch.egress_guard:is_exact_only", says(False))],
        [f"{GUARD_TESTS}::test_s2_metadata_is_refused_even_inside_allowed_ranges"],
    ),
    "embedded-addresses": Guard(
        "IPv4 addresses embedded in IPv6 addresses",
        [("findable.fetch.egress_guard:readings", lambda original: lambda address, prefixes=(): (address,))],
        [
            f"{GUARD_TESTS}::test_s3_addresses_with_a_private_one_inside_are_refused",
            f"{GUARD_TESTS}::test_s4_the_networks_own_nat64_prefix_is_unwrapped",
        ],
    ),
    "resolver": Guard(
        "addresses that a name resolves to",
        [("findable.fetch.egress_guard:Guard.check_addresses", NOTHING)],
        [f"{LIVE_TESTS}::test_s8_a_name_with_a_public_and_a_private_address_is_refused_whole"],
    ),
    "connection": Guard(
        "address at which a socket opens",
        [("findable.fetch.wire:_Transfer._open_socket", _opens_every_socket)],
        [f"{LIVE_TESTS}::test_s9_the_socket_is_checked_even_where_the_pin_is_wrong"],
    ),
    "handshake": Guard(
        "guard of a bare TLS handshake",
        OFF_THE_GUARD,
        [f"{FETCH}/test_handshakes.py::test_s9_a_handshake_asks_the_guard"],
    ),
    "every-hop": Guard(
        "guard on every hop, and for every URL of a page",
        OFF_THE_GUARD,
        [
            f"{LIVE_TESTS}::test_s11_a_redirect_to_a_private_address_is_refused_on_any_hop",
            f"{SERVICE_TESTS}::test_s11_the_report_names_the_hop_that_was_refused",
            f"{LIVE_TESTS}::test_s17_nothing_a_page_or_a_site_names_leads_past_the_guard",
            f"{LIVE_TESTS}::test_s22_open_closed_and_silent_ports_of_a_private_host_look_the_same",
        ],
    ),
    "browser-requests": Guard(
        "guard of requests of pages in the browser",
        OFF_THE_GUARD,
        [f"{BROWSER_TESTS}::test_s20_no_way_out_of_a_page_leads_past_the_guard"],
    ),
    "browser-proxy": Guard(
        "proxy of the browser, for loopback too",
        [("findable.fetch.browser.open_page:NO_BYPASS", becomes(""))],
        [f"{BROWSER_TESTS}::test_s20_no_way_out_of_a_page_leads_past_the_guard"],
    ),
    "browser-ports": Guard(
        "ports of the browser's proxies",
        [("findable.fetch.browser.egress_proxy:is_loopback", says(False))],
        [f"{BROWSER_TESTS}::test_s19_the_proxy_does_not_lead_to_itself"],
    ),
    "schemes": Guard(
        "schemes other than http and https",
        [("findable.fetch.egress_guard:Guard.check_url", lets_pass("http and https"))],
        [f"{GUARD_TESTS}::test_s13_other_schemes_are_refused", VISIBLE],
    ),
    "ports": Guard(
        "only web ports",
        [(f"findable.fetch.egress_guard:Guard.{name}", lets_pass("port")) for name in ("check_url", "check_address")],
        [f"{GUARD_TESTS}::test_s14_other_ports_are_refused", VISIBLE],
    ),
    "userinfo": Guard(
        "user and password in a URL",
        [("findable.fetch.egress_guard:Guard.check_url", lets_pass("user name"))],
        [
            f"{GUARD_TESTS}::test_s15_userinfo_is_refused_and_basic_auth_named",
            f"{LIVE_TESTS}::test_s15_a_redirect_with_userinfo_is_refused",
        ],
    ),
    "stored-logins": Guard(
        "user and password of a refused URL that is stored in a batch",
        [("findable.service.sites.url_input:without_login", hands_back())],
        [f"{SERVICE_TESTS}::test_s15_the_login_in_an_address_is_neither_kept_nor_logged_nor_shown"],
    ),
    "redirect-messages": Guard(
        "messages about URLs that were not followed",
        [("findable.fetch.page_fetch:_display_url", hands_back())],
        [f"{SERVICE_TESTS}::test_s12_s13_s15_the_eleventh_redirect_is_told_without_login_and_script"],
    ),
    "nat64-setting": Guard(
        "the network's own NAT64 prefixes, from the settings",
        [("findable.fetch.egress_guard:nat64_prefixes", says(()))],
        [f"{SERVICE_TESTS}::test_s4_the_networks_own_prefix_is_a_setting_of_the_service_and_of_the_command"],
    ),
    "own-address": Guard(
        "address of the service",
        [("findable.fetch.egress_guard:Guard.__init__", _no_own_address)],
        [
            f"{GUARD_TESTS}::test_s19_our_own_address_is_refused_whatever_is_allowed",
            f"{LIVE_TESTS}::test_s19_our_own_address_is_not_fetched",
            f"{SERVICE_TESTS}::test_s19_where_we_listen_and_what_we_publish_are_refused_whatever_is_allowed",
        ],
    ),
    "credentials": Guard(
        "credentials only for one origin",
        [("findable.fetch.identity:Identity._is_for", says(True))],
        [
            f"{LIVE_TESTS}::test_s16_credentials_of_an_extra_request_stay_at_their_origin",
            f"{FETCH}/test_page_fetch.py::test_s16_credentials_do_not_follow_a_redirect_to_another_origin",
        ],
    ),
    "smuggled-headers": Guard(
        "headers that could smuggle requests",
        [("findable.fetch.identity:_refusal", NOTHING)],
        [f"{FETCH}/test_page_fetch.py::test_s80_a_header_that_could_smuggle_is_refused"],
    ),
    "robots": Guard(
        "rules of robots.txt",
        [("findable.fetch.robots_rules:forbidden_by", says(None))],
        [
            f"{FETCH}/test_page_requests.py::test_robots_txt_is_obeyed_for_links_with_the_line",
            f"{FETCH}/test_page_requests.py::test_f20_robots_txt_that_is_missing_allows_and_one_that_fails_forbids",
        ],
    ),
    "redirects": Guard(
        "maximum of ten redirects",
        [("findable.fetch.page_fetch:MAX_REDIRECTS", becomes(1000))],
        [f"{FETCH}/test_page_fetch.py::test_too_many_redirects_in_a_loop_and_in_a_row"],
    ),
    "metadata-url": Guard(
        "metadata addresses in typed URLs",
        [("findable.api.targets:is_exact_only", says(False))],
        [f"{GUARD_TESTS}::test_s2_typing_a_metadata_address_is_no_permission"],
    ),
    # --- what comes in
    "wire-cap": Guard(
        "cap of bytes on the wire",
        [("findable.fetch.page_fetch:Order", _wide_order)],
        [f"{SAFETY}/test_bodies.py::test_s24_a_body_without_end_stops_at_the_wire_cap"],
    ),
    "decoded-cap": Guard(
        "cap of decoded bytes",
        [("findable.fetch.decode:Decoder.__init__", _uncapped)],
        [f"{SAFETY}/test_bodies.py::test_s24_a_bomb_stops_at_the_decoded_cap"],
    ),
    "jsonld-depth": Guard(
        "depth of JSON-LD",
        [("findable.formats.json_ld:_too_deep_at", NOTHING)],
        ["tests/checks/structured_data/jsonld_valid/test_jsonld_valid.py::test_s28_deep_nesting_is_not_parsed"],
    ),
    "image-size": Guard(
        "size of an image before it is decoded",
        [("findable.service.reports.stored_images:DECODER", becomes("tests.safety.guards:redrawn_whatever_it_says"))],
        [f"{SERVICE}/test_pictures.py::test_s29_bombs_and_lies_are_not_drawn_and_cost_little"],
    ),
    "process-limits": Guard(
        "time, memory and output of a separate process",
        [("findable.sandbox:run", _unbounded)],
        [
            "tests/test_sandbox.py::test_s29_a_process_that_never_ends_is_killed_with_its_children",
            "tests/test_sandbox.py::test_s29_memory_ends_at_the_bound",
            "tests/test_sandbox.py::test_answers_end_at_the_bound",
            f"{EXPORT}/test_pdf.py::test_s43_time_memory_and_size_end_at_their_bounds",
        ],
    ),
    "request-fields": Guard(
        "number of fields in a body",
        [("findable.web.bodies:parse_fields", _wide_fields)],
        [f"{WEB}/test_bodies.py::test_s73_too_many_fields_are_refused"],
    ),
    # --- what is shown
    "autoescape": Guard(
        "escaping in pages",
        [("findable.web.pages.shared.page_templates:environment", _unescaped)],
        [
            f"{WEB}/test_share_page.py::test_s31_text_of_the_page_is_text",
            f"{SAFETY}/test_hostile_text.py::test_s31_s32_s37_no_page_of_ours_runs_what_a_page_says",
            f"{SAFETY}/test_hostile_text.py::test_s31_s39_nothing_runs_in_a_browser_and_scripts_insert_no_markup",
            f"{SAFETY}/test_hostile_text.py::test_s38_searches_and_addresses_are_text",
            f"{SAFETY}/test_text_everywhere.py::test_s31_what_a_page_says_stands_on_its_report_as_text",
            f"{SAFETY}/test_text_everywhere.py::test_s36_headers_of_a_server_stand_on_the_report_as_text",
            f"{SAFETY}/test_text_everywhere.py::test_s36_what_a_server_says_when_it_fails_is_one_line_of_text",
            f"{SAFETY}/test_text_everywhere.py::test_s38_every_page_with_a_list_takes_every_search_as_text",
        ],
    ),
    "links": Guard(
        "links with executable schemes",
        [("findable.web.pages.shared.page_templates:safe_href", hands_back())],
        [
            f"{WEB}/test_share_page.py::test_s33_s34_found_links",
            f"{SAFETY}/test_text_everywhere.py::test_s33_s34_s35_only_web_urls_of_a_page_become_links_and_nothing_is_loaded",
        ],
    ),
    "content-policy": Guard(
        "content security policy",
        [("findable.web.response_headers:PAGE_HEADERS", becomes((("content-security-policy", "default-src *"),)))],
        [
            f"{WEB}/test_share_page.py::test_s40_headers",
            f"{SAFETY}/test_text_everywhere.py::test_s39_no_text_becomes_markup_in_a_browser_whatever_a_script_does",
        ],
    ),
    "csv": Guard(
        "cells that a spreadsheet would execute",
        [("findable.export.csv_cells:safe", hands_back())],
        [
            f"{EXPORT}/test_exports.py::test_s46_csv_cells_are_not_run",
            "tests/fuzz/test_texts.py::test_s46_no_cell_begins_like_a_formula",
            "tests/fuzz/test_texts.py::test_s46_no_cell_begins_like_a_formula_where_semicolons_or_tabs_part_cells",
        ],
    ),
    "workbook": Guard(
        "texts that a workbook would take for markup",
        [("findable.export.workbook:cell_text", hands_back())],
        [f"{EXPORT}/test_table_files.py::test_s47_hostile_texts_stay_texts_in_a_sheet"],
    ),
    "markdown": Guard(
        "markup in Markdown",
        [("findable.export.markdown:escape", hands_back()), ("findable.export.markdown:code", hands_back())],
        [
            f"{EXPORT}/test_exports.py::test_markdown_keeps_hostile_text_as_text",
            "tests/fuzz/test_texts.py::test_s31_nobody_is_called_from_markdown",
        ],
    ),
    "terminal": Guard(
        "control characters in the terminal",
        [("findable.cli.terminal:clean", hands_back())],
        ["tests/fuzz/test_texts.py::test_s36_a_line_of_terminal_and_log_is_one_line"],
    ),
    "log-lines": Guard(
        "one line per log message",
        [("findable.web.logs:one_line", hands_back())],
        [f"{WEB}/test_logs.py::test_s80_whatever_is_said_is_one_line"],
    ),
    "log-secrets": Guard(
        "secrets in the log",
        [("findable.web.logs:without_secrets", hands_back())],
        [f"{WEB}/test_logs.py::test_s81_no_secret_stands_in_a_line"],
    ),
    # --- who may what
    "access": Guard(
        "access to a shared page",
        [("findable.service.reports.report_access:may_see", _allowed)],
        [
            f"{SERVICE}/test_guest_access.py::test_s57_who_may_see_what",
            f"{SERVICE}/test_guest_access.py::test_s52_a_change_of_privacy_holds_for_the_next_look",
            f"{WEB}/test_share_page.py::test_s57_private_deleted_and_missing_look_the_same",
            f"{WEB}/test_share_page.py::test_s51_before_unlocking_nothing_is_told",
            f"{SAFETY}/test_privacy_at_once.py::test_s52_it_holds_on_a_connection_that_stays_open",
        ],
    ),
    "equal-queries": Guard(
        "same number of queries without a report",
        [("findable.service.results.shareable:Shareable.find", _asks_no_more)],
        [f"{SAFETY}/test_alike.py::test_s57_the_same_is_asked_of_the_database_whether_there_is_a_report_or_not"],
    ),
    "ownership": Guard(
        "reports of one account only",
        [("findable.service.reports.owned_reports:owned_report", _anybodys_report)],
        [
            f"{SERVICE}/test_reports.py::test_s48_another_accounts_report_is_missing",
            "tests/api/test_delete_report.py::test_s48_another_account_cannot",
        ],
    ),
    "unlock-cookie": Guard(
        "signature of the unlock cookie",
        [("findable.service.results.guest_access:is_unlocked", says(True))],
        [
            f"{SERVICE}/test_guest_access.py::test_s56_the_right_password_opens_until_password_or_privacy_changes",
            f"{SAFETY}/test_outsider.py::test_s56_an_unlocked_page_opens_no_other",
        ],
    ),
    "password-pauses": Guard(
        "pauses after wrong passwords",
        [("findable.service.runtime.attempt_limits:count_try", NOTHING)],
        [
            f"{SERVICE}/test_guest_access.py::test_s53_after_ten_wrong_tries_there_is_a_pause_that_doubles",
            f"{SERVICE}/test_people.py::test_s53_ten_wrong_passwords_close_the_door_of_an_address_to_their_network_alone",
            f"{SERVICE}/test_guest_access.py::test_s53_a_report_rests_after_a_hundred_wrong_tries_whoever_asks",
            f"{WEB}/test_share_page.py::test_s53_ten_wrong_tries_are_the_end_for_a_while",
        ],
    ),
    "parallel-hashes": Guard(
        "maximum of two parallel password hashes",
        [("findable.service.runtime.passwords:Passwords._turn", _at_once)],
        [f"{SERVICE}/test_guest_access.py::test_s54_two_hundred_tries_at_once_compute_two_hashes_at_a_time"],
    ),
    "passwords": Guard(
        "verification of a password",
        [("findable.service.runtime.passwords:Passwords.is_right", says(True))],
        [
            f"{SERVICE}/test_people.py::test_s65_whoever_is_unknown_or_has_another_password_is_answered_alike",
            f"{WEB}/test_share_page.py::test_a_wrong_password_asks_again",
        ],
    ),
    "key-expiry": Guard(
        "revoked and expired keys",
        [("findable.store.key_statements:Keys.by_hash", _ignores_end_of_keys)],
        [
            f"{SERVICE}/test_accounts.py::test_s60_revoked_expired_and_disabled_keys_are_refused",
            f"{WEB}/test_answers.py::test_s60_revoked_and_expired_keys",
        ],
    ),
    "key-in-url": Guard(
        "keys in a URL",
        [("findable.web.auth:bearer_token", _key_from_anywhere)],
        [f"{WEB}/test_answers.py::test_s60_a_key_in_the_address_is_always_refused"],
    ),
    "scopes": Guard(
        "scopes of a key",
        [("findable.service.accounts.permissions:require", NOTHING)],
        [
            f"{SERVICE}/test_reports.py::test_s62_a_key_that_may_only_read_changes_nothing",
            "tests/api/test_post_report.py::test_s62_a_key_that_only_reads_is_forbidden",
        ],
    ),
    "roles": Guard(
        "permissions of owners",
        [("findable.service.accounts.permissions:require_role", NOTHING)],
        [f"{SERVICE}/test_people.py::test_s49_what_owners_do_is_refused_to_members_and_to_their_keys"],
    ),
    "key-limits": Guard(
        "actions that no key is allowed",
        [("findable.service.accounts.permissions:require_person", NOTHING)],
        [f"{SERVICE}/test_people.py::test_s63_no_key_of_an_owner_makes_keys_or_lets_somebody_in"],
    ),
    "cross-site": Guard(
        "forms of other sites",
        [("findable.web.auth:refuse_cross_site", NOTHING)],
        [
            f"{WEB}/test_pages.py::test_s74_forms_of_other_sites_are_refused",
            f"{WEB}/test_people.py::test_s74_no_form_of_another_site_signs_in",
            f"{SAFETY}/test_outsider.py::test_s74_no_other_site_sends_a_form_for_somebody",
        ],
    ),
    "next": Guard(
        "redirect target after signing in",
        [("findable.web.pages.shared.viewer:own_path", hands_back())],
        [f"{WEB}/test_people.py::test_s79_nobody_is_sent_to_another_site", f"{WEB}/test_people.py::test_s79_the_pages_keep_to_it"],
    ),
    "proxies": Guard(
        "proxies whose X-Forwarded-For is trusted",
        [("findable.web.client_address:_is_in", says(True))],
        [f"{WEB}/test_who_asks.py::test_s77_forwarded_addresses_count_only_from_trusted_proxies"],
    ),
    "colours": Guard(
        "valid colours",
        [("findable.service.values.brand:parse_color", hands_back())],
        [f"{SAFETY}/test_branding.py::test_s37_a_colour_is_six_hex_digits_or_refused"],
    ),
    "rates": Guard(
        "requests per minute",
        [
            (
                "findable.service.runtime.rate_limits:RateLimits.count",
                lambda original: lambda limits, caller: limits.state(caller),
            )
        ],
        [
            f"{WEB}/test_answers.py::test_s92_too_many_requests_are_429",
            f"{SERVICE_TESTS}::test_s22_two_thousand_requests_map_nothing_and_are_counted",
            f"{SERVICE_TESTS}::test_s22_what_a_person_has_fetched_by_forms_is_counted_too",
        ],
    ),
    "shares": Guard(
        "share of capacity reserved for others",
        [("findable.service.runtime.slots:limit_per_caller", hands_back())],
        [
            f"{SAFETY}/test_shares.py::test_s76_s92_who_sends_no_bodies_keeps_out_nobody_of_another_network",
            f"{SAFETY}/test_shares.py::test_s92_one_network_follows_some_reports_and_leaves_room",
            f"{SAFETY}/test_shares.py::test_s92_one_account_waits_for_some_reports_and_leaves_room",
        ],
    ),
    "spare-slot": Guard(
        "slot reserved for other accounts",
        [("findable.worker.worker_loop:SPARE", becomes(0))],
        ["tests/worker/test_worker.py::test_f15_s92_pages_of_one_account_that_hang_hold_no_other_up"],
    ),
    "batch-limit": Guard(
        "maximum of stored batches",
        [("findable.store.batch_statements:Batches.delete_beyond", NOTHING)],
        [f"{SERVICE}/test_batches.py::test_s92_batches_that_are_done_do_not_pile_up"],
    ),
    "saved-pages": Guard(
        "size of the saved pages of one account",
        [("findable.store.run_statements:Runs.remove_saved_of", says(0))],
        [f"{SERVICE}/test_retention.py::test_s92_saved_pages_of_one_account_have_a_bound_and_the_oldest_go_first"],
    ),
    "networks": Guard(
        "network of a request",
        [("findable.web.client_address:network_at", says(""))],
        [f"{SAFETY}/test_shares.py::test_s92_one_network_has_one_pdf_at_a_time_and_others_do_not_wait_for_it"],
    ),
    "revoked-key": Guard(
        "key that is revoked during its request",
        [("findable.web.api.operation:Call.require_still", _never_reads_on)],
        [
            f"{SAFETY}/test_shares.py::test_s60_a_key_that_is_revoked_while_its_body_arrives_changes_nothing",
            f"{SAFETY}/test_shares.py::test_s60_a_key_that_is_revoked_while_its_request_waits_is_told_nothing",
        ],
    ),
    "ended-session": Guard(
        "session that ends while a form arrives",
        [("findable.web.pages.result.link_pages:LinkPages.owned_form", _sees_the_owner_once)],
        [f"{SAFETY}/test_shares.py::test_s66_a_session_that_ends_while_a_form_arrives_changes_nothing"],
    ),
    "known-networks": Guard(
        "networks from which somebody signed in before",
        [("findable.service.runtime.attempt_limits:remember", NOTHING)],
        [f"{SERVICE}/test_guest_access.py::test_s53_many_networks_shut_out_nobody_who_has_been_in"],
    ),
    "idempotency": Guard(
        "owner of an idempotency key",
        [
            (f"findable.store.expiring_statements:ExpiringRows.{name}", _forgets_whose)
            for name in ("reply", "reserve_key", "transfer_key", "save_reply")
        ],
        [f"{SAFETY}/test_outsider.py::test_s48_an_idempotency_key_of_somebody_else_replays_nothing"],
    ),
    # --- and further
    "url-parser": Guard(
        "invalid URLs",
        [("findable.urls:parse", lambda original: lambda text: original(text) or original("https://www.example.com/"))],
        [f"{GUARD_TESTS}::test_s7_what_is_no_url_is_refused"],
    ),
    "locations": Guard(
        "length of a Location header",
        [("findable.fetch.redirects:MAX_LOCATION_CHARS", becomes(10**9))],
        [f"{LIVE_TESTS}::test_s12_redirects_are_bounded_and_read_as_browsers_do"],
    ),
    "environment": Guard(
        "ignoring proxies and logins of the environment",
        [("findable.fetch.wire:_Transfer.set_options", _reads_the_environment)],
        [f"{LIVE_TESTS}::test_s18_proxies_and_netrc_of_the_environment_are_ignored"],
    ),
    "allowed-targets": Guard(
        "limits of an allowed target",
        [("findable.fetch.egress_guard:AllowedTarget.covers", says(True))],
        [
            f"{GUARD_TESTS}::test_s21_an_allowed_network_opens_that_network_alone_on_any_port",
            f"{GUARD_TESTS}::test_s21_an_allowed_host_with_a_port_opens_that_port_alone",
            f"{GUARD_TESTS}::test_s21_an_allowed_name_opens_any_port_of_that_name_alone",
        ],
    ),
    "bad-certificate": Guard(
        "second attempt without credentials",
        [("findable.fetch.page_fetch:page_lines", _always_with_credentials)],
        [
            f"{FETCH}/test_page_fetch.py::test_s23_a_bad_certificate_is_a_second_try_without_credentials",
            f"{FETCH}/test_wrong_certificates.py::test_s16_s23_a_wrong_certificate_is_a_finding_and_its_host_gets_no_credentials",
        ],
    ),
    "heads": Guard(
        "caps of a response head",
        [
            ("findable.fetch.response_head:MAX_HEAD_BYTES", becomes(10**12)),
            ("findable.fetch.response_head:MAX_HEAD_LINES", becomes(10**12)),
        ],
        [f"{SAFETY}/test_bodies.py::test_s25_headers_without_end_stop_at_their_cap"],
    ),
    "elements": Guard(
        "cap of elements",
        [("findable.artifacts.html.parse_tree:MAX_ELEMENTS", becomes(10**9))],
        ["tests/artifacts/test_document.py::test_s26_a_page_of_too_many_elements_is_not_judged_by_its_beginning"],
    ),
    "document-types": Guard(
        "document types in sitemaps",
        [("findable.fetch.sitemap_stream:SitemapReader._on_doctype", NOTHING)],
        [f"{SAFETY}/test_bodies.py::test_s27_a_document_type_is_refused"],
    ),
    "files": Guard(
        "policy of files",
        [
            (f"findable.web.pages.{module}:SANDBOX", becomes("default-src *"))
            for module in ("report.downloads", "report.report_images", "result.sharing", "shared.attachments")
        ],
        [
            f"{WEB}/test_downloads.py::test_s42_files_run_nothing",
            f"{SAFETY}/test_headers.py::test_s42_a_saved_page_is_a_file_that_runs_nothing",
            f"{WEB}/test_pictures.py::test_s35_pictures_are_ours_and_run_nothing",
        ],
    ),
    "pdf-links": Guard(
        "links in a PDF",
        [
            (f"findable.export.{module}:link_to", lambda original: lambda url: {**original(url), "href": url})
            for module in ("pdf_content", "pdf_frame")
        ],
        [f"{EXPORT}/test_pdf.py::test_s44_only_http_addresses_are_links"],
    ),
    "file-names": Guard(
        "names of files",
        [
            (
                "findable.web.pages.result.files:file_name",
                lambda original: lambda brand, host, at, ending, kind="": f"findable-{host}.{ending}",
            )
        ],
        [f"{WEB}/test_downloads.py::test_s45_file_names_are_plain_ascii"],
    ),
    "password-hashes": Guard(
        "hashes of passwords",
        [("findable.service.runtime.passwords:Passwords.hash", hands_back(1))],
        [f"{SERVICE}/test_guest_access.py::test_s55_a_password_is_nowhere_but_hashed"],
    ),
    "password-bytes": Guard(
        "one complete encoding of a password",
        [
            ("findable.service.runtime.passwords:as_bytes", lambda original: lambda password: password.encode("utf-8", "surrogatepass")),
            ("findable.service.runtime.passwords:is_too_long", says(False)),
        ],
        [
            f"{SERVICE}/test_guest_access.py::test_s58_one_password_typed_on_two_keyboards_is_one",
            f"{SERVICE}/test_guest_access.py::test_s58_a_password_that_is_too_long_is_refused_not_cut",
        ],
    ),
    "password-required": Guard(
        "reports that require a password",
        [
            ("findable.service.results.access_settings:password_errors", says({})),
            (
                "findable.service.results.access_settings:password_hash",
                lambda original: lambda service, _caller, _privacy, password: password and service.passwords.hash(password),
            ),
        ],
        [f"{SERVICE}/test_reports.py::test_s59_passwords_are_asked_for_kept_and_ignored"],
    ),
    "tokens": Guard(
        "tokens stored as hashes",
        [
            ("findable.service.runtime.signing_secret:token_hash", lambda original: lambda token: token.encode("utf-8", "replace")),
            ("findable.service.runtime.signing_secret:sign", lambda original: lambda _, *parts: "\x1f".join(map(str, parts)).encode()),
        ],
        [f"{SERVICE}/test_accounts.py::test_s61_a_dump_of_the_database_opens_nothing"],
    ),
    "other-sessions": Guard(
        "end of other sessions",
        [("findable.store.session_statements:SignedInSessions.end_of", NOTHING)],
        [f"{SERVICE}/test_people.py::test_s66_a_new_password_ends_the_other_sessions_and_gives_this_one_a_new_name"],
    ),
    "one-time-links": Guard(
        "links that work once",
        [("findable.store.sign_in_link_statements:SignInLinks.use", _works_again)],
        [f"{SERVICE}/test_sign_in_links.py::test_s67_s68_a_link_signs_in_once"],
    ),
    "list-bounds": Guard(
        "bounds of lists",
        [("findable.service.values.paging:require_bounds", NOTHING)],
        [f"{SERVICE}/test_lists.py::test_s70_what_no_list_takes_is_refused_by_name"],
    ),
    "wildcards": Guard(
        "wildcards in searches",
        [("findable.store.dialect:like_pattern", lambda original: lambda text: f"%{text}%")],
        ["tests/api/test_get_reports.py::test_s71_wildcards_are_literal"],
    ),
    "cors-credentials": Guard(
        "responses that other origins cannot read with credentials",
        [("findable.web.response_headers:CORS_HEADERS", lambda original: (*original, ("access-control-allow-credentials", "true")))],
        [f"{WEB}/test_old_clients.py::test_s75_every_answer_may_be_read_by_any_origin_without_credentials"],
    ),
    "one-host": Guard(
        "exactly one Host header",
        [("findable.web.middleware:_malformed_error", NOTHING)],
        [f"{WEB}/test_old_clients.py::test_s76_a_request_has_one_host"],
    ),
    "unread-body": Guard(
        "bodies that are read after the response",
        [("findable.web.drain_request:UnreadBody.discard", _never_reads_on)],
        [f"{WEB}/test_old_clients.py::test_s73_who_sends_on_after_the_answer_comes_to_read_it"],
    ),
    "unread-body-limit": Guard(
        "maximum of bytes read after the response",
        [("findable.web.drain_request:MAX_BYTES", becomes(10**12))],
        [f"{WEB}/test_old_clients.py::test_s73_what_is_sent_after_the_answer_is_not_read_for_ever"],
    ),
    "backups": Guard(
        "valid backups",
        [("findable.store.backup_sqlite:_schema", says(set()))],
        ["tests/store/test_backup.py::test_s88_a_database_with_more_in_it_than_ours_is_refused"],
    ),
    "webhook-targets": Guard(
        "targets of webhooks",
        [("findable.service.delivery.webhook_settings:_url_errors", says({})), *OFF_THE_GUARD],
        ["tests/worker/test_deliveries.py::test_s82_redirects_are_failures_and_private_targets_are_refused_at_both_times"],
    ),
    "webhook-signatures": Guard(
        "signatures of webhooks",
        [("findable.notify.standard_webhooks:_signature", says("v1,AAAA"))],
        ["tests/worker/test_deliveries.py::test_s83_the_reference_library_verifies_every_message"],
    ),
    "webhook-responses": Guard(
        "stored size of a receiver's response",
        [
            ("findable.worker.delivery_task:RESPONSE_BYTES", becomes(10**7)),
            ("findable.service.delivery.deliveries:MAX_RESPONSE_CHARS", becomes(10**7)),
        ],
        ["tests/worker/test_deliveries.py::test_s84_slow_endless_and_broken_receivers_end_and_little_of_them_is_kept"],
    ),
    "mail-lines": Guard(
        "line breaks and markup in emails",
        [("findable.notify.email_mime:one_line", becomes(Markup))],
        ["tests/worker/test_mails.py::test_s85_texts_of_others_add_no_header_and_no_markup_to_a_mail"],
    ),
    "chat-markup": Guard(
        "markup and mentions in chats",
        [("findable.notify.chat_messages:_escape", hands_back()), ("findable.notify.chat_messages:_slack_text", hands_back())],
        ["tests/worker/test_deliveries.py::test_s85_chats_get_their_own_form_without_mentions_or_markup"],
    ),
    "job-kinds": Guard(
        "kinds of jobs",
        [("findable.service.reports.report_jobs:JOB_KIND", becomes(_LikeAnything("report")))],
        [f"{SERVICE}/test_reports.py::test_s89_a_job_of_an_unknown_kind_ends_its_report"],
    ),
    "host-connections": Guard(
        "connections to one host",
        [("findable.worker.shared_pauses:HOST_CONNECTIONS", becomes(64))],
        [f"{SAFETY}/test_amplifier.py::test_s93_a_report_costs_its_site_a_bounded_number_of_requests"],
    ),
    "tool-scopes": Guard(
        "scopes of a key with agents' tools",
        [("findable.web.agent_tools:require", NOTHING)],
        [f"{WEB}/test_mcp.py::test_s90_what_a_key_may_not_do_and_wrong_arguments_have_codes"],
    ),
    "agent-fences": Guard(
        "text of pages in the responses of tools",
        [("findable.export.agent_text:from_page", hands_back())],
        [f"{WEB}/test_mcp.py::test_s91_text_of_pages_cannot_close_its_block_nor_exceed_its_budget"],
    ),
    "proxy-headers": Guard(
        "proxies whose sign-in header is trusted",
        [("findable.web.middleware:Edge._remove_untrusted_identity", NOTHING)],
        [f"{WEB}/test_proxy_sign_in.py::test_the_headers_count_only_from_the_proxy_itself"],
    ),
    "id-tokens": Guard(
        "requirements for an ID token",
        [("findable.service.runtime.oidc:OpenIdProvider._verified_claims", _any_token)],
        [f"{WEB}/test_provider_sign_in.py::test_a_lie_of_the_provider_signs_nobody_in"],
    ),
    "sign-in-cookie": Guard(
        "browser in which a provider's response counts",
        [("findable.web.pages.account.provider_sign_in:secrets.compare_digest", says(True))],
        [f"{WEB}/test_provider_sign_in.py::test_a_response_counts_only_in_the_browser_that_asked_for_it_and_once"],
    ),
    "metrics-access": Guard(
        "access to the metrics",
        [("findable.web.pages.shared.system:_require_watcher", NOTHING)],
        [f"{WEB}/test_metrics.py::test_s94_metrics_need_their_token_and_hold_no_secret_and_no_version"],
    ),
    "audit": Guard(
        "findings of the audit",
        [("tools.audit:secrets_in", says(())), ("tools.audit:advisories", says(()))],
        [
            f"{SAFETY}/test_audit.py::test_s95_a_planted_secret_is_found",
            f"{SAFETY}/test_audit.py::test_s95_an_advisory_fails_the_audit",
        ],
    ),
}

WITHOUT_GUARD: Mapping[str, str] = {
    "S10": "a persistent connection leads to the IP address that was checked, and a new one is checked as in S9",
    "S30": "strangers cannot submit regular expressions, and those of Findable are measured",
    "S50": "no GET route changes anything",
    "S64": "a key is looked up by an index over its whole hash",
    "S69": "only the declared fields of a body are read, by name",
    "S72": "fields are stored by name, so the last one applies",
    "S78": "the Host header is only counted",
    "S86": "no file path is built from a request",
    "S87": "no text is parsed as a template, and no template is built from text",
    "S96": "Chromium does not start in its sandbox as root: without another user there is no visit",
}
"""Attacks that no guard prevents, with the reason: there is no code to disable."""
