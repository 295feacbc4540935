"""Asks for more than the rate limit allows. The test that started it has the service's clock, so it tells it of each wait."""

import json
import os
import sys

from almanac_calendar import Almanac

GIVEN = json.loads(os.environ["ALMANAC_SCENE"])
BURST = 150
statuses = []


def sleep(seconds: float) -> None:
    print(f"sleeps {seconds}", flush=True)
    sys.stdin.readline()


almanac = Almanac(
    GIVEN["base_url"],
    GIVEN["client_id"],
    GIVEN["client_secret"],
    on_response=lambda info: statuses.append(info.status),
    sleep=sleep,
    random=lambda: 0.5,
)
account = almanac.account(GIVEN["full"])
for _ in range(BURST):
    account.get()
account.channels.create({"callback_url": "https://app.acme.io/hook"})
print(json.dumps(statuses), flush=True)
