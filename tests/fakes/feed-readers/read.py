"""Reads a calendar from standard input with icalendar, and prints its events as JSON: uid, start, end, summary."""

import datetime
import json
import sys

import icalendar


def shown(moment):
    if not isinstance(moment, datetime.datetime):
        return moment.isoformat()
    return moment.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def end_of(event):
    start = event["DTSTART"].dt
    if "DTEND" in event:
        return event["DTEND"].dt
    return start if isinstance(start, datetime.datetime) else start + datetime.timedelta(days=1)


calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
events = [
    {
        "uid": str(event["UID"]),
        "start": shown(event["DTSTART"].dt),
        "end": shown(end_of(event)),
        "summary": str(event["SUMMARY"]),
    }
    for event in calendar.walk("VEVENT")
]
print(json.dumps(events))
