from __future__ import annotations

import json
import unittest
from datetime import datetime, timezone

from almanac_calendar import AccountClient, Almanac, ApiError, ConfigurationError, ConnectionFailed, RateLimitError, ServerError
from scripted_service import ScriptedService, Step

ACCOUNT: Step = (200, {}, json.dumps({"account": {"account_id": "acc_1"}}).encode())
WRITTEN: Step = (202, {}, b"")
NOW = datetime(2026, 11, 24, 10, tzinfo=timezone.utc).timestamp()


def failing(status: int, retry_after: str | None = None) -> Step:
    return (status, {} if retry_after is None else {"retry-after": retry_after}, b"")


class Configuration(unittest.TestCase):
    def test_a_client_is_not_created_without_its_url_id_and_secret(self) -> None:
        given = {"base_url": "https://api.acme.io", "client_id": "client", "client_secret": "secret"}
        for name, value, message in (
            ("base_url", "", "^base_url is missing: set it to the URL of your Almanac service"),
            ("base_url", "api.acme.io", '^base_url must begin with https:// or http://, but is "api.acme.io"$'),
            ("base_url", "localhost:3000", "^base_url must begin"),
            ("base_url", "https://", "^base_url must begin"),
            ("app_url", "app.acme.io", "^app_url must begin"),
            ("client_id", "", "^client_id is missing"),
            ("client_secret", "", "^client_secret is missing"),
        ):
            with self.subTest(name=name, value=value):
                with self.assertRaisesRegex(ConfigurationError, message):
                    Almanac(**{**given, name: value})
        Almanac(**{**given, "base_url": "http://localhost:3000/"})


class Retries(unittest.TestCase):
    def scene(self, *steps: Step, random: float = 0, **options: object) -> AccountClient:
        self.service = ScriptedService(*steps)
        self.addCleanup(self.service.close)
        self.waits: list[float] = []
        given = {"base_url": f"{self.service.base_url}/", "client_id": "client", "client_secret": "secret"}
        for_tests = {"now": lambda: NOW, "random": lambda: random, "sleep": self.waits.append}
        self.almanac = Almanac(**{**given, **for_tests, **options})
        return self.almanac.account({"access_token": "at_1", "refresh_token": "rt_1"})

    def test_what_may_be_repeated_is_sent_again(self) -> None:
        page = (502, {"content-type": "text/html"}, b"<h1>Bad</h1>")
        for step in (failing(500), failing(503), page, "broken", "short"):
            with self.subTest(step):
                account = self.scene(step, ACCOUNT)
                self.assertEqual(account.get(), {"account_id": "acc_1"})
                self.assertEqual([line for line, _ in self.service.requests], ["GET /v1/account"] * 2)
                self.assertEqual(self.waits, [0.25])

    def test_writes_of_events_and_closing_a_channel_may_be_repeated(self) -> None:
        account = self.scene(*[failing(500), WRITTEN] * 4)
        account.events.write("cal_1", {"event_id": "1", "summary": "s", "start": "2026-11-24", "end": "2026-11-25"})
        account.events.delete("cal_1", {"event_id": "1"})
        account.events.change_occurrence("cal_1", {"event_id": "1", "occurrence_date": "2026-11-24", "summary": "t"})
        account.channels.close("chn_1")
        self.assertEqual(len(self.service.requests), 8)

    def test_what_must_not_be_repeated_is_sent_once(self) -> None:
        for step in (failing(500), failing(503, "1"), "broken"):
            with self.subTest(step):
                account = self.scene(*[step] * 7)
                calls = (
                    lambda: account.channels.create({"callback_url": "https://app.acme.io/hook"}),
                    account.link_tokens.create,
                    lambda: account.sandbox.change({"type": "event_created"}),
                    lambda: account.events.update("evt_1", {"summary": "s"}, if_match='"1"'),
                    lambda: account.events.update("evt_1", {"summary": "s"}, {"scope": "all"}),
                    lambda: account.events.delete_by_uid("evt_1", if_match='"1"'),
                    lambda: self.almanac.exchange_code(code="code", redirect_uri="https://app.acme.io/callback"),
                )
                for call in calls:
                    self.assertRaises((ServerError, ConnectionFailed), call)
                self.assertEqual(len(self.service.requests), 7)
                self.assertEqual(self.waits, [])

    def test_waits_grow_half_of_each_at_random_until_the_last_retry(self) -> None:
        expected = {0: [0.25, 0.5, 1, 2, 4, 8, 10, 10], 1: [0.5, 1, 2, 4, 8, 16, 20, 20]}
        for random, waits in expected.items():
            account = self.scene(*[failing(503)] * 9, random=random, max_retries=8)
            self.assertRaises(ServerError, account.get)
            self.assertEqual(self.waits, waits)
            self.assertEqual(len(self.service.requests), 9)

    def test_a_request_is_sent_four_times_at_most(self) -> None:
        account = self.scene(*[failing(503)] * 9)
        self.assertRaises(ServerError, account.get)
        self.assertEqual(len(self.service.requests), 4)

    def test_retry_after_is_waited_for(self) -> None:
        cases = {
            "7": 7,
            "0": 0.25,
            "Tue, 24 Nov 2026 10:00:12 GMT": 12,
            "Tue, 24 Nov 2026 09:59:00 GMT": 0.25,
            "soon": 0.25,
        }
        for value, wait in cases.items():
            with self.subTest(value):
                self.scene(failing(503, value), ACCOUNT).get()
                self.assertEqual(self.waits, [wait])

    def test_a_longer_retry_after_than_a_minute_ends_the_call_with_the_seconds(self) -> None:
        account = self.scene(failing(429, "61"))
        with self.assertRaises(RateLimitError) as raised:
            account.get()
        self.assertEqual(raised.exception.retry_after, 61)
        self.assertEqual(len(self.service.requests), 1)

    def test_no_response_is_a_connection_failed(self) -> None:
        account = self.scene("silent", "silent", timeout=0.05, max_retries=1)
        with self.assertRaises(ConnectionFailed) as raised:
            account.get()
        self.assertTrue(raised.exception.is_timeout)
        self.assertEqual(len(self.service.requests), 2)
        nowhere = self.scene(base_url="http://127.0.0.1:1", max_retries=0)
        with self.assertRaises(ConnectionFailed) as raised:
            nowhere.get()
        self.assertFalse(raised.exception.is_timeout)
        self.assertIsNotNone(raised.exception.__cause__)

    def test_what_a_proxy_responds_is_an_api_error_and_no_redirect_is_followed(self) -> None:
        steps: list[Step] = [
            (200, {}, b"<h1>Sign in to the wifi</h1>"),
            (302, {"location": "https://elsewhere.example/"}, b""),
            (422, {}, b'{"errors": "no"}'),
            (400, {}, b"<h1>Bad</h1>"),
        ]
        for step in steps:
            with self.subTest(step):
                account = self.scene(step)
                with self.assertRaises(ApiError) as raised:
                    account.get()
                self.assertIs(type(raised.exception), ApiError)
                self.assertEqual(raised.exception.status, step[0])
                self.assertEqual(len(self.service.requests), 1)

    def test_a_token_stays_with_the_address_that_the_client_was_given(self) -> None:
        def page(number: int, **more: str) -> Step:
            pages = {"current": number, "total": 2, **more}
            return (200, {}, json.dumps({"events": [{"summary": str(number)}], "pages": pages}).encode())

        account = self.scene(page(1, next_page="https://elsewhere.example/v1/events?cursor=a%20b&x=1"), page(2))
        events = account.events.list({"tzid": "Etc/UTC", "calendar_ids": ["a", "b"], "include_managed": True})
        self.assertEqual([event["summary"] for event in events], ["1", "2"])
        self.assertEqual(
            [line for line, _ in self.service.requests],
            [
                "GET /v1/events?tzid=Etc%2FUTC&calendar_ids%5B%5D=a&calendar_ids%5B%5D=b&include_managed=true",
                "GET /v1/events?cursor=a%20b&x=1",
            ],
        )
        self.assertEqual({headers["Authorization"] for _, headers in self.service.requests}, {"Bearer at_1"})


if __name__ == "__main__":
    unittest.main()
