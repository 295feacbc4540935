from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from .errors import AlmanacError
from .openapi import Channel, NotificationNotification

Failure: TypeAlias = Literal[
    "missing_header", "wrong_hmac", "unknown_channel", "wrong_signature", "too_old", "invalid_body"
]
#: The signing secret, several, or how to find it by the id of the channel or the trigger.
SigningSecret: TypeAlias = "str | Sequence[str] | Callable[[str], str | Sequence[str] | None] | None"


@dataclass(frozen=True)
class Delivery:
    #: The same on every attempt: ignore one that you have handled.
    id: str
    #: 1 for the first attempt.
    attempt: int
    #: Ignore a type that you don't know.
    notification: NotificationNotification
    #: None for a `trigger`.
    channel: Channel | None


class WebhookVerificationError(AlmanacError):
    """The delivery must not be trusted. Respond with 400."""

    def __init__(self, reason: Failure) -> None:
        super().__init__(f"the webhook was not verified: {reason}")
        self.reason = reason


def verify_webhook(
    *,
    body: bytes,
    headers: Mapping[str, str],
    client_secret: str | Sequence[str],
    signing_secret: SigningSecret = None,
    tolerance: float = 300,
    now: Callable[[], float] = time.time,
) -> Delivery:
    """The delivery, once it is certain that Almanac sent it. Raises a WebhookVerificationError otherwise.

    `body` is the raw body. Any one of the client secrets is enough. Without a signing secret, the age of the delivery
    isn't checked.
    """
    lower = _verified(body, headers, client_secret)
    delivery = _delivery(lower, body)
    if signing_secret is None:
        return delivery
    secret = signing_secret(_sender_of(delivery)) if callable(signing_secret) else signing_secret
    if secret is None:
        raise WebhookVerificationError("unknown_channel")
    signature = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", _header(lower, "svc-signature"))
    sent_at, v1 = signature.groups() if signature else ("", "")
    if not _matches(_listed(secret), [bytes.fromhex(v1)], f"{sent_at}.".encode() + body):
        raise WebhookVerificationError("wrong_signature")
    if abs(now() - int(sent_at)) > tolerance:
        raise WebhookVerificationError("too_old")
    return delivery


def verify_authorization(
    *, body: bytes, headers: Mapping[str, str], client_secret: str | Sequence[str]
) -> dict[str, str]:
    """What came of a mailbox that `organizations.authorize` asked for, once it is certain that Almanac sent it.

    It has a `code` to exchange, or an `error` and its `error_description`, and the `state` that was given. Raises a
    WebhookVerificationError otherwise.
    """
    _verified(body, headers, client_secret)
    try:
        authorization: Any = json.loads(body)["authorization"]
        is_result = isinstance(authorization.get("code", authorization.get("error")), str)
    except (AttributeError, ValueError, KeyError, TypeError) as error:
        raise WebhookVerificationError("invalid_body") from error
    if not is_result:
        raise WebhookVerificationError("invalid_body")
    return cast("dict[str, str]", authorization)


def _verified(body: bytes, headers: Mapping[str, str], client_secret: str | Sequence[str]) -> dict[str, str]:
    """The headers by their lower-case names, if the body was signed with one of the client secrets."""
    lower = {name.lower(): value for name, value in headers.items()}
    hmacs = [_from_base64(value.strip()) for value in _header(lower, "svc-hmac-sha256").split(",")]
    if not _matches(_listed(client_secret), hmacs, body):
        raise WebhookVerificationError("wrong_hmac")
    return lower


def _matches(secrets: Sequence[str], given: Sequence[bytes], data: bytes) -> bool:
    own = [hmac.new(secret.encode(), data, hashlib.sha256).digest() for secret in secrets if secret]
    return any([hmac.compare_digest(one, other) for one in own for other in given])


def _delivery(headers: Mapping[str, str], body: bytes) -> Delivery:
    try:
        parsed: Any = json.loads(body)
        delivery = Delivery(
            _header(headers, "svc-delivery-id"),
            int(_header(headers, "svc-delivery-attempt")),
            parsed["notification"],
            parsed.get("channel"),
        )
        is_known = isinstance(delivery.notification["type"], str) and isinstance(_sender_of(delivery), str)
    except (AttributeError, ValueError, KeyError, TypeError, IndexError) as error:
        raise WebhookVerificationError("invalid_body") from error
    if not is_known:
        raise WebhookVerificationError("invalid_body")
    return delivery


def _sender_of(delivery: Delivery) -> str:
    """The id whose signing secret signs."""
    return delivery.channel["channel_id"] if delivery.channel else delivery.notification["trigger_id"]


def _header(headers: Mapping[str, str], name: str) -> str:
    if name not in headers:
        raise WebhookVerificationError("missing_header")
    return headers[name]


def _listed(secret: str | Sequence[str]) -> Sequence[str]:
    return [secret] if isinstance(secret, str) else secret


def _from_base64(text: str) -> bytes:
    """Empty for text that is no base64: it then matches nothing."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
