from __future__ import annotations

from urllib.parse import urlsplit

from .errors import ConfigurationError


def check_arguments(base_url: str, app_url: str | None, client_id: str, client_secret: str) -> None:
    """Raises a ConfigurationError that says what to set: an argument read from an environment variable that is not set may be empty."""
    needed = (
        ("base_url", base_url, "the URL of your Almanac service, such as https://api.acme.io"),
        ("client_id", client_id, "the client id of your application"),
        ("client_secret", client_secret, "the client secret of your application"),
    )
    for name, value, what in needed:
        if not value:
            raise ConfigurationError(f"{name} is missing: set it to {what}")
    for name, url in (("base_url", base_url), ("app_url", app_url)):
        if url and not _is_web_url(url):
            raise ConfigurationError(f'{name} must begin with https:// or http://, but is "{url}"')


def _is_web_url(text: str) -> bool:
    try:
        url = urlsplit(text)
        return url.scheme in ("http", "https") and bool(url.hostname)
    except ValueError:
        return False
