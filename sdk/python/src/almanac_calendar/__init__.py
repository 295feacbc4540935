"""The Python client of Almanac: one API over several calendar providers."""

from .account import AccountClient
from .client import Almanac, Connection, Pkce, create_pkce
from .errors import (
    AlmanacError,
    ApiError,
    AuthenticationError,
    ConfigurationError,
    ConflictError,
    ConnectionFailed,
    EventChangedError,
    FieldIssue,
    NotFoundError,
    OAuthError,
    PermissionDenied,
    RateLimitError,
    ServerError,
    UnreachableError,
    ValidationError,
)
from .paged import Listed, Page, Paged
from .settings import ResponseInfo
from .tagged_event import TaggedEvent
from .tokens import StoredTokens, Tokens, TokenStore
from .version import VERSION as __version__
from .webhooks import Delivery, WebhookVerificationError, verify_authorization, verify_webhook

__all__ = [
    "AccountClient",
    "Almanac",
    "AlmanacError",
    "ApiError",
    "AuthenticationError",
    "ConfigurationError",
    "ConflictError",
    "Connection",
    "ConnectionFailed",
    "Delivery",
    "EventChangedError",
    "FieldIssue",
    "Listed",
    "NotFoundError",
    "OAuthError",
    "Page",
    "Paged",
    "PermissionDenied",
    "Pkce",
    "RateLimitError",
    "ResponseInfo",
    "ServerError",
    "StoredTokens",
    "TaggedEvent",
    "TokenStore",
    "Tokens",
    "UnreachableError",
    "ValidationError",
    "WebhookVerificationError",
    "__version__",
    "create_pkce",
    "verify_authorization",
    "verify_webhook",
]
