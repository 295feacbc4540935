import hashlib
import hmac
import re
import time

TOLERANCE_SECONDS = 5 * 60


def verify(*, body: bytes, signature: str, signing_secret: str) -> bool:
    """Return True if Almanac sent this body. `body` is the raw bytes, before any JSON parsing;
    `signature` is the header Svc-Signature."""
    found = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", signature or "")
    if not found or abs(time.time() - int(found[1])) > TOLERANCE_SECONDS:
        return False

    signed = found[1].encode() + b"." + body
    expected = hmac.new(signing_secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, found[2])
