"""One-time links: they sign in once, for a limited time, and only people with an account."""

import base64
from datetime import timedelta

import pytest

from findable.clock import now
from findable.errors import NotFound
from findable.service.accounts import account_admin, callers, sessions, sign_in_links
from findable.service.runtime.service import Service
from findable.store import store_protocol


def test_s67_s68_a_link_signs_in_once(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    account_admin.create_account(service, "a@b.example")
    link = sign_in_links.create(service, "a@b.example")
    assert link.url.startswith("http://127.0.0.1:8000/sign-in/")
    token = link.url.rpartition("/")[2]
    assert len(base64.urlsafe_b64decode(token + "=")) >= 16, "128 bits"
    signed_in = sign_in_links.redeem(service, token)
    assert signed_in is not None
    assert sign_in_links.redeem(service, token) is None
    assert sign_in_links.redeem(service, "unknown") is None
    caller = callers.authenticate_session(service, signed_in.token)
    assert caller == signed_in.caller
    sessions.sign_out(service, signed_in.token)
    assert callers.authenticate_session(service, signed_in.token) is None
    old = sign_in_links.create(service, "a@b.example").url.rpartition("/")[2]
    monkeypatch.setattr(store_protocol, "now", lambda: now() + timedelta(minutes=16))
    assert sign_in_links.redeem(service, old) is None
    with pytest.raises(NotFound):
        sign_in_links.create(service, "nobody@b.example")
