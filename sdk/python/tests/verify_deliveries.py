"""Reads deliveries as JSON and prints what becomes of each: "accepted" or why not."""

import base64
import json
import sys

from almanac_calendar import WebhookVerificationError, verify_authorization, verify_webhook


def outcome(given: dict) -> str:
    try:
        if b"authorization" in base64.b64decode(given["body"]):
            body = base64.b64decode(given["body"])
            found = verify_authorization(body=body, headers=given["headers"], client_secret=given["client_secret"])
            return f"accepted {found['code']}"
        delivery = verify_webhook(
            body=base64.b64decode(given["body"]),
            headers=given["headers"],
            client_secret=given["client_secret"],
            signing_secret=given["signing_secret"],
            now=lambda: given["now"],
        )
    except WebhookVerificationError as error:
        return error.reason
    return f"accepted {delivery.id} {delivery.attempt} {delivery.notification['type']}"


print(json.dumps([outcome(given) for given in json.load(sys.stdin)]))
