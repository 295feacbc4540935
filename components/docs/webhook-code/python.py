import base64
import hashlib
import hmac
import re
import time

TOLERANCE_SECONDS = 5 * 60


def verify(
    *, body: bytes, signature: str, hmacs: str, signing_secret: str, client_secret: str
) -> bool:
    """Return True if Almanac sent this body. `body` is the raw bytes, before any JSON parsing;
    `signature` and `hmacs` are the headers Svc-Signature and Svc-HMAC-SHA256."""
    found = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", signature or "")
    if not found or abs(time.time() - int(found[1])) > TOLERANCE_SECONDS:
        return False

    signed = found[1].encode() + b"." + body
    expected = hmac.new(signing_secret.encode(), signed, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected, found[2]):
        return False

    own = base64.b64encode(hmac.new(client_secret.encode(), body, hashlib.sha256).digest())
    given = [each.strip().encode() for each in (hmacs or "").split(",")]
    return any(hmac.compare_digest(own, each) for each in given)
