"""Against a running service: tests/api/sdk/python.test.ts starts it, and says where it is."""

from __future__ import annotations

import json
import os
import time
import unittest
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from typing import Any

from almanac_calendar import (
    Almanac,
    AuthenticationError,
    ConflictError,
    EventChangedError,
    NotFoundError,
    OAuthError,
    PermissionDenied,
    ResponseInfo,
    ValidationError,
    create_pkce,
)

GIVEN: dict[str, Any] = json.loads(os.environ["ALMANAC_SCENE"])
TODAY = date.today()


def day(ahead: int) -> str:
    return (TODAY + timedelta(days=ahead)).isoformat()


class AtTheService(unittest.TestCase):
    def setUp(self) -> None:
        self.responses: list[ResponseInfo] = []
        self.almanac = self.client()

    def client(self, **options: Any) -> Almanac:
        given = {name: GIVEN[name] for name in ("base_url", "client_id", "client_secret")}
        return Almanac(**{**given, "on_response": self.responses.append, **options})

    def opened(self, name: str):
        connection = self.almanac.application_calendars.open(name)
        account = self.almanac.account(connection)
        return connection, account, account.calendars.list()[0]["calendar_id"]

    def test_every_operation_has_a_method(self) -> None:
        connected = GIVEN["connected"]
        url = self.almanac.authorization_url(
            redirect_uri=GIVEN["redirect_uri"], state="state ü", code_challenge=create_pkce().code_challenge, locale="en"
        )
        with urllib.request.urlopen(url) as page:
            self.assertEqual(page.status, 200)
        less = self.almanac.authorization_url(redirect_uri=GIVEN["redirect_uri"], state="s", access="read")
        self.assertIn("&access=read", less)
        connection = self.almanac.exchange_code(
            code=connected["code"], redirect_uri=GIVEN["redirect_uri"], code_verifier=connected["code_verifier"]
        )
        self.assertEqual(connection["account_id"], connected["account_id"])
        # No provider that signs in by OAuth is configured there.
        with self.assertRaises(ValidationError) as refused:
            self.almanac.profiles.import_token(provider_name="google", refresh_token="1//x", account_id="acc_1")
        self.assertTrue(refused.exception.has("errors.invalid_value", "provider_name"))
        mailbox = {"email": "grace@acme.io", "callback_url": "https://app.acme.io/mailboxes"}
        self.almanac.organizations.authorize([mailbox])
        self.assertEqual(self.almanac.organizations.rooms(), {"resources": [], "problems": []})
        person = self.almanac.account(connection)
        self.assertEqual(person.get()["email"], "ada@acme.io")
        self.assertEqual(person.userinfo()["sub"], connected["account_id"])
        self.assertTrue(person.profiles.list()[0]["profile_connected"])
        profile_id = person.profiles.list()[0]["profile_id"]
        self.assertEqual(person.profiles.status(profile_id)["state"], "connected")
        self.assertIn("link_token=lt_", person.reconnect_links.create(profile_id, {"expires_in": 60}))
        self.assertRegex(person.link_tokens.create(), "^lt_")

        hosted, account, calendar = self.opened("python-all")
        account.events.write(
            calendar,
            {
                "event_id": "series",
                "summary": "Daily",
                "start": day(1),
                "end": day(2),
                "recurrence": {"rules": [{"frequency": "daily", "count": 3}]},
            },
        )
        account.events.change_occurrence(
            calendar, {"event_id": "series", "occurrence_date": day(2), "summary": "Once"}
        )
        account.events.delete(calendar, {"event_id": "series", "occurrence_date": day(3)})
        self.assertEqual(account.events.receipt(calendar, "series")["state"], "sent")
        self.assertEqual([one["event_id"] for one in account.writes.list({"calendar_ids": [calendar]})], ["series"])
        self.assertEqual(list(account.writes.list({"state": "refused"})), [])
        window = {"tzid": "Etc/UTC", "from": day(1), "to": day(10), "calendar_ids": [calendar]}
        events = account.events.list({**window, "include_managed": True})
        self.assertEqual([event["summary"] for event in events], ["Daily", "Once"])
        periods = account.free_busy.list({**window, "include_managed": True, "include_ids": True})
        self.assertEqual([period["event_id"] for period in periods], ["series", "series"])
        question = {
            "participants": [{"members": [{"sub": hosted["account_id"]}]}],
            "required_duration": {"minutes": 60},
            "query_periods": [{"start": f"{day(1)}T00:00:00Z", "end": f"{day(3)}T00:00:00Z"}],
        }
        for availability in (self.almanac.availability, account.availability):
            found = availability.find(question)
            self.assertEqual((found["available_periods"], found["problems"]), ([], []))
        uid = next(account.events.list({**window, "include_managed": True}).pages()).items[1]["event_uid"]
        read = account.events.get(uid)
        self.assertEqual([read.event["summary"], read.event["rights"]["update"]], ["Once", True])
        changed = account.events.update(uid, {"summary": "Twice"}, if_match=read.etag)
        self.assertEqual(changed, account.events.get(uid))
        with self.assertRaises(EventChangedError) as raised:
            account.events.delete_by_uid(uid, if_match=read.etag)
        self.assertEqual(raised.exception.current, changed)
        self.assertNotIn("Twice", f"{raised.exception!r} {vars(raised.exception)}")
        # The application may not reply in its user's name: nobody has allowed it.
        self.assertRaises(PermissionDenied, account.events.reply, calendar, uid, {"status": "declined"})
        account.events.delete_by_uid(uid, {"occurrence_date": day(1)})
        account.sandbox.change({"type": "event_deleted", "calendar_id": calendar, "event_id": "series"})
        self.assertEqual(list(account.events.list({**window, "include_managed": True})), [])

        found = self.almanac.availability.find(question)
        self.assertEqual([period["start"] for period in found["available_periods"]], [f"{day(1)}T00:00:00Z"])
        wrong = self.client(client_secret="the-wrong-secret-of-an-application")
        self.assertRaises(AuthenticationError, wrong.availability.find, question)

        filters = {"calendar_ids": [calendar], "only_managed": True}
        channel = account.channels.create({"callback_url": "https://app.acme.io/hook", "filters": filters})
        self.assertRegex(channel["signing_secret"], "^whsec_")
        self.assertEqual([each["filters"] for each in account.channels.list()], [filters])
        self.assertRegex(account.channels.test(channel["channel_id"]), "^whd_")
        settings = {"payload": "changes", "signature": "standard_webhooks", "write_refused": True}
        delivery = account.channels.set_delivery(channel["channel_id"], settings)
        self.assertEqual(delivery, {**settings, "signing_secret": channel["signing_secret"].removeprefix("whsec_")})
        account.channels.close(channel["channel_id"])
        self.assertEqual(account.channels.list(), [])

        reminder = {"callback_url": "https://app.acme.io/hook", "before": "event_start", "minutes": 10}
        trigger = account.triggers.create(reminder)
        self.assertRegex(trigger["signing_secret"], "^whsec_")
        self.assertEqual(account.triggers.list(), [{"trigger_id": trigger["trigger_id"], **reminder}])
        account.triggers.delete(trigger["trigger_id"])
        self.assertEqual(account.triggers.list(), [])
        url = f"/v1/calendars/{calendar}/events"
        outcomes = account.events.batch(
            [
                {"method": "POST", "relative_url": url, "data": {"event_id": "batch", "summary": "Batch", "start": day(1), "end": day(2)}},
                {"method": "DELETE", "relative_url": url, "data": {}},
            ]
        )
        self.assertEqual([outcome["status"] for outcome in outcomes], [202, 422])
        account.events.delete_all({"delete_all": True})
        feed = account.feeds.create(calendar, {"detail": "busy", "days_ahead": 30})
        self.assertRegex(feed.pop("url"), r"/feeds/[\w-]{43}\.ics$")
        self.assertEqual(account.feeds.list(calendar), [feed])
        account.feeds.delete(calendar, feed["feed_id"])
        self.assertEqual(account.feeds.list(calendar), [])

        feed = {"url": "https://calendars.acme.io/roster.ics", "name": "Roster", "refresh_minutes": 30}
        subscribed = account.subscriptions.create(feed)
        self.assertEqual(account.subscriptions.create(feed), subscribed)
        [listed] = account.subscriptions.list()
        self.assertEqual([listed["calendar_id"], listed["host"]], [subscribed["calendar_id"], "calendars.acme.io"])
        account.subscriptions.delete(subscribed["calendar_id"])
        self.assertEqual(account.subscriptions.list(), [])

        cursor = account.changes.list()["cursor"]
        booking = {
            "calendar_id": calendar,
            "event": {
                "event_id": "interview",
                "summary": "Interview",
                "start": f"{day(8)}T09:00:00Z",
                "end": f"{day(8)}T10:00:00Z",
            },
            "require_free": [{"sub": hosted["account_id"]}],
            "hold_seconds": 60,
        }
        for bookings in (self.almanac.bookings, account.bookings):
            held = bookings.book(booking)
            self.assertEqual((held["state"], bookings.get(held["booking_id"])), ("held", held))
            other = {**booking, "event": {**booking["event"], "event_id": "other"}}
            with self.assertRaises(ConflictError) as raised:
                bookings.book(other)
            taken = {"calendar_id": calendar, "start": f"{day(8)}T09:00:00Z", "end": f"{day(8)}T10:00:00Z"}
            self.assertEqual((raised.exception.conflicts, raised.exception.problems), ((taken,), ()))
            self.assertEqual(bookings.confirm(held["booking_id"])["state"], "booked")
            bookings.cancel(held["booking_id"])
        pages = list(account.changes.follow({"cursor": cursor, "limit": 3}))
        self.assertEqual([len(page["changes"]) for page in pages], [3, 1])
        self.assertEqual([change["kind"] for page in pages for change in page["changes"]], ["created", "deleted"] * 2)
        self.assertEqual(account.changes.list({"cursor": pages[-1]["cursor"]})["changes"], [])
        self.almanac.revoke(hosted["access_token"])
        # For the test that started this one: it knows the operations.
        for info in self.responses:
            print(f"called {info.method} {info.path}")

    def test_an_expired_token_is_refreshed_once_for_20_threads_and_saved_once(self) -> None:
        connection, _, _ = self.opened("python-tokens")
        saved = []

        class Store:
            def load(self):
                return {**connection, "expires_at": time.time() + 59}

            def save(self, tokens):
                saved.append(tokens)

        account = self.almanac.account(Store())
        with ThreadPoolExecutor(20) as pool:
            found = {each["account_id"] for each in pool.map(lambda _: account.get(), range(20))}
        self.assertEqual(found, {connection["account_id"]})
        self.assertEqual(self.refreshes(), 1)
        self.assertEqual(len(saved), 1)
        self.assertEqual(saved[0]["account_id"], connection["account_id"])
        self.assertNotEqual(saved[0]["access_token"], connection["access_token"])
        self.assertGreater(saved[0]["expires_at"], time.time() + 10_000)

    def test_a_rejected_token_is_refreshed_once_for_20_threads(self) -> None:
        connection, _, _ = self.opened("python-rejected")
        account = self.almanac.account({"access_token": "at_expired", "refresh_token": connection["refresh_token"]})
        with ThreadPoolExecutor(20) as pool:
            list(pool.map(lambda _: account.get(), range(20)))
        self.assertEqual(self.refreshes(), 1)

    def test_a_revoked_connection_has_to_be_connected_again(self) -> None:
        connection, account, _ = self.opened("python-revoked")
        self.almanac.revoke(connection["refresh_token"])
        with self.assertRaises(OAuthError) as raised:
            account.get()
        self.assertEqual(raised.exception.error, "invalid_grant")

    def test_errors_have_their_class_their_keys_and_no_secret(self) -> None:
        _, account, calendar = self.opened("python-errors")
        event = {"event_id": "1", "summary": "The canary quoll sings!", "start": day(1), "end": day(2)}
        with self.assertRaises(ValidationError) as raised:
            account.events.write(calendar, {**event, "conferencing": {"profile_id": "integrated"}})
        error = raised.exception
        self.assertTrue(error.has("errors.conferencing_unavailable", "conferencing.profile_id"))
        self.assertFalse(error.has("errors.required"))
        self.assertRegex(error.request_id or "", "^req_")
        self.assertNotIn("canary", f"{error!r} {vars(error)}")
        self.assertRaises(NotFoundError, account.events.write, "cal_ä/../x", event)
        astray = self.client(base_url=GIVEN["base_url"] + "/v1", on_response=lambda _: None)
        self.assertRaisesRegex(NotFoundError, "nothing at this path", astray.application_calendars.open, "room")
        person = self.almanac.account(GIVEN["readonly"]["tokens"])
        self.assertRaises(PermissionDenied, person.events.write, GIVEN["readonly"]["calendar_id"], event)
        wrong = self.client(client_secret="the-wrong-secret")
        self.assertRaises(AuthenticationError, wrong.application_calendars.open, "room")
        with self.assertRaises(OAuthError) as refused:
            wrong.refresh("rt_the-refresh-token")
        self.assertEqual(refused.exception.error, "invalid_client")
        self.assertNotRegex(f"{refused.exception!r} {vars(refused.exception)}", "wrong-secret|rt_the")

    def test_700_events_are_three_pages(self) -> None:
        account = self.almanac.account(GIVEN["full"])
        events = account.events.list({"tzid": "Etc/UTC", "include_managed": True})
        self.assertEqual([len(page.items) for page in events.pages()], [300, 300, 100])
        self.responses.clear()
        self.assertEqual(len({event["event_id"] for event in events}), 700)
        self.assertEqual(len(self.responses), 3)
        self.responses.clear()
        next(iter(events))
        self.assertEqual(len(self.responses), 1)

    def refreshes(self) -> int:
        return len([info for info in self.responses if info.path == "/oauth/token"])


if __name__ == "__main__":
    unittest.main()
