from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode


def query_string(parameters: Mapping[str, Any]) -> str:
    """With its question mark. Lists are repeated under a name with brackets, as the API reads them."""
    pairs: list[tuple[str, str]] = []
    for name, value in parameters.items():
        if value is None:
            continue
        if isinstance(value, (list, tuple)):
            pairs += [(f"{name}[]", str(item)) for item in value]
        else:
            pairs.append((name, str(value).lower() if isinstance(value, bool) else str(value)))
    return f"?{urlencode(pairs)}" if pairs else ""
