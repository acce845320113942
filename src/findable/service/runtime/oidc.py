"""OpenID provider for signing in: authorization code with PKCE (OpenID Connect Core 1.0, RFC 6749, 7636, 9207).

Requests use the product's guard and fetcher; PyJWT verifies signatures and claims (decision 0022). Tokens are not stored.
"""

import base64
import hashlib
import secrets
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from msgspec import Struct, field

from findable.clock import monotonic_s
from findable.errors import FindableError
from findable.fetch.fetcher import Fetcher
from findable.service.runtime.json_requests import JsonRequest, UnexpectedResponse, allowed_host, read_json, unpaused_fetcher
from findable.service.runtime.service import guard_of
from findable.service.values.account_values import Identity
from findable.settings import Settings, openid_of

T = TypeVar("T")
DEADLINE_S = 10.0
RESPONSE_BYTES = 1_000_000
CACHED_S = 600.0
"""Time for which the provider metadata is cached."""
LEEWAY_S = 60
"""Accepted clock difference."""
MAX_KEYS = 50
MAX_GROUPS = 1000
SCOPE = "openid email profile"
ALGORITHMS = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"})
"""Signature algorithms with public keys. Neither ``none`` nor algorithms with shared secrets are accepted."""


class ProviderError(FindableError):
    """Reason why the provider's response was not accepted; for the log of the operator."""


class Attempt(Struct, frozen=True):
    """Secrets of a sign-in attempt, stored encrypted in the browser only."""

    state: str
    nonce: str
    verifier: str
    next: str
    """Path of the page to open after signing in."""
    until: int
    """End of validity, in seconds since 1970."""


class _Metadata(Struct, frozen=True):
    """Provider metadata (OpenID Connect Discovery 1.0 section 3)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str = ""
    token_endpoint_auth_methods_supported: list[str] = field(default_factory=lambda: ["client_secret_basic"])


class _Tokens(Struct, frozen=True):
    id_token: str
    access_token: str = ""


class _Keys(Struct, frozen=True):
    keys: list[dict[str, Any]]


class OpenIdProvider:
    """OpenID provider that the settings configure."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._client = openid_of(settings.sign_in_provider)
        self._guard = guard_of(settings, allowed_host(self._client.issuer, settings.name_of("sign_in_provider")))
        self._metadata: _Metadata | None = None
        self._read_s = 0.0
        self.name = self._client.name
        self.redirect_uri = f"{settings.base_url}/oidc/callback"

    async def begin(self, next_path: str, until: int) -> tuple[str, Attempt]:
        """Return the sign-in URL at the provider, and the attempt. Raises ProviderError."""
        attempt = Attempt(secrets.token_urlsafe(32), secrets.token_urlsafe(32), secrets.token_urlsafe(32), next_path, until)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(attempt.verifier.encode()).digest()).rstrip(b"=").decode()
        parameters = {
            "response_type": "code",
            "client_id": self._client.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": SCOPE,
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        async with self._fetcher() as fetcher:
            endpoint = (await self._read_metadata(fetcher)).authorization_endpoint
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(parameters)}", attempt

    async def identity(self, attempt: Attempt, code: str, issuer: str) -> Identity:
        """Exchange the code of a response for the identity of the person. Raises ProviderError.

        Args:
            attempt: attempt of this browser, with the state that the response contains.
            code: parameter ``code`` of the response.
            issuer: parameter ``iss`` of the response (RFC 9207); empty if it is missing.
        """
        if issuer and issuer != self._client.issuer:
            raise ProviderError(f"the response is from another issuer, {issuer!r}")
        async with self._fetcher() as fetcher:
            metadata = await self._read_metadata(fetcher)
            tokens = await self._exchange_code(fetcher, metadata, attempt, code)
            keys = await self._read(fetcher, metadata.jwks_uri, _Keys)
            claims = self._verified_claims(tokens.id_token, keys.keys, attempt.nonce)
            if metadata.userinfo_endpoint and tokens.access_token and not {"email", self._client.groups} <= claims.keys():
                claims = {**await self._user_info(fetcher, metadata, tokens, claims["sub"]), **claims}
        return self._identity_of(claims)

    # --- requests -----------------------------------------------------------------------------------------------------

    def _fetcher(self) -> Fetcher:
        return unpaused_fetcher(self._settings, self._guard)

    async def _read_metadata(self, fetcher: Fetcher) -> _Metadata:
        if self._metadata is None or monotonic_s() - self._read_s > CACHED_S:
            issuer = self._client.issuer
            found = await self._read(fetcher, f"{issuer.rstrip('/')}/.well-known/openid-configuration", _Metadata)
            if found.issuer != issuer:
                raise ProviderError(f"the issuer in the provider metadata is {found.issuer!r}, not {issuer!r}")
            for url in (found.authorization_endpoint, found.token_endpoint, found.jwks_uri, found.userinfo_endpoint):
                if url and not url.startswith(("https://", f"{issuer.partition(':')[0]}://")):
                    raise ProviderError(f"{url!r} does not use https")
            self._metadata, self._read_s = found, monotonic_s()
        return self._metadata

    async def _exchange_code(self, fetcher: Fetcher, metadata: _Metadata, attempt: Attempt, code: str) -> _Tokens:
        name, secret = self._client.client_id, self._client.client_secret
        fields = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "code_verifier": attempt.verifier,
        }
        lines = [("Content-Type", "application/x-www-form-urlencoded")]
        if secret and "client_secret_basic" in metadata.token_endpoint_auth_methods_supported:
            pair = f"{quote(name, safe='')}:{quote(secret, safe='')}"
            lines.append(("Authorization", f"Basic {base64.b64encode(pair.encode()).decode()}"))
        else:
            fields |= {"client_id": name} | ({"client_secret": secret} if secret else {})
        return await self._read(fetcher, metadata.token_endpoint, _Tokens, lines, urlencode(fields).encode())

    async def _user_info(self, fetcher: Fetcher, metadata: _Metadata, tokens: _Tokens, subject: str) -> dict[str, Any]:
        lines = [("Authorization", f"Bearer {tokens.access_token}")]
        found = await self._read(fetcher, metadata.userinfo_endpoint, dict[str, Any], lines)
        if found.get("sub") != subject:  # OpenID Connect Core 1.0 section 5.3.2
            raise ProviderError("the user info belongs to another person than the ID token")
        return found

    async def _read(
        self, fetcher: Fetcher, url: str, kind: type[T], lines: list[tuple[str, str]] | None = None, payload: bytes | None = None
    ) -> T:
        """Return the JSON of a successful response."""
        request = JsonRequest(url, lines=tuple(lines or ()), payload=payload, deadline_s=DEADLINE_S, max_bytes=RESPONSE_BYTES)
        try:
            return await read_json(fetcher, request, kind)
        except UnexpectedResponse as error:
            raise ProviderError(str(error)) from error

    # --- claims -------------------------------------------------------------------------------------------------------

    def _verified_claims(self, token: str, keys: list[dict[str, Any]], nonce: str) -> dict[str, Any]:
        """Return the claims of an ID token (OpenID Connect Core 1.0 section 3.1.3.7)."""
        import jwt  # noqa: PLC0415 - optional dependency; takes 0.1 s to import

        try:
            header = jwt.get_unverified_header(token)
            algorithm = header.get("alg")
            if algorithm not in ALGORITHMS:
                raise ProviderError(f"the ID token is signed with {algorithm!r}")
            named = [key for key in keys[:MAX_KEYS] if key.get("kid") == header.get("kid")] if "kid" in header else keys[:MAX_KEYS]
            usable = [key for key in named if key.get("use", "sig") == "sig"]
            if len(usable) != 1:
                raise ProviderError(f"{len(usable)} keys of the provider match the ID token instead of one")
            claims: dict[str, Any] = jwt.decode(
                token,
                jwt.PyJWK(usable[0], algorithm=algorithm),
                algorithms=[algorithm],
                audience=self._client.client_id,
                issuer=self._client.issuer,
                leeway=LEEWAY_S,
                options={"require": ["iss", "sub", "aud", "exp", "iat"]},
            )
        except jwt.PyJWTError as error:
            raise ProviderError(f"the ID token is not valid: {error}") from error
        if not secrets.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise ProviderError("the ID token belongs to another sign-in attempt")
        party = claims.get("azp")
        is_shared = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
        if (party is not None or is_shared) and party != self._client.client_id:
            raise ProviderError("the ID token is for another client")
        if not isinstance(claims["sub"], str) or not claims["sub"]:
            raise ProviderError("the ID token has no subject")
        return claims

    def _identity_of(self, claims: dict[str, Any]) -> Identity:
        email, name, groups = claims.get("email"), claims.get("name"), claims.get(self._client.groups)
        is_verified = self._client.trusts_email or claims.get("email_verified") in (True, "true")
        listed = [groups] if isinstance(groups, str) else groups if isinstance(groups, list) else []
        return Identity(
            self._client.issuer,
            subject=claims["sub"],
            email=email if isinstance(email, str) and is_verified else "",
            name=name if isinstance(name, str) else "",
            groups=tuple(group for group in listed[:MAX_GROUPS] if isinstance(group, str)),
        )
