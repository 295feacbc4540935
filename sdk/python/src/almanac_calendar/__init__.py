"""The Python client of Almanac: one API over several calendar providers."""

from .account import AccountClient
from .client import Almanac, Connection, Pkce, create_pkce
from .errors import (
    AlmanacError,
    ApiError,
    AuthenticationError,
    ConfigurationError,
    ConnectionFailed,
    FieldIssue,
    NotFoundError,
    OAuthError,
    PermissionDenied,
    RateLimitError,
    ServerError,
    ValidationError,
)
from .paged import Page, Paged
from .settings import ResponseInfo
from .tokens import StoredTokens, Tokens, TokenStore
from .version import VERSION as __version__
from .webhooks import Delivery, WebhookVerificationError, verify_webhook

__all__ = [
    "AccountClient",
    "Almanac",
    "AlmanacError",
    "ApiError",
    "AuthenticationError",
    "ConfigurationError",
    "Connection",
    "ConnectionFailed",
    "Delivery",
    "FieldIssue",
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
    "TokenStore",
    "Tokens",
    "ValidationError",
    "WebhookVerificationError",
    "__version__",
    "create_pkce",
    "verify_webhook",
]
