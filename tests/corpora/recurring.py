"""Reads calendar files with icalendar, recurring-ical-events and dateutil. Each line of input is "<from> <to> <path>" (years), each line of
output one JSON object."""

import datetime
import json
import signal
import sys
import warnings

import icalendar
import recurring_ical_events

warnings.filterwarnings("ignore")
MOST = 200
SECONDS = 15


def shown(moment):
    if not isinstance(moment, datetime.datetime):
        return moment.isoformat()
    if moment.tzinfo is not None:
        moment = moment.astimezone(datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")


def span(event):
    start, end = event["DTSTART"].dt, event["DTEND"].dt
    if not isinstance(start, datetime.datetime) and start == end:
        end = start + datetime.timedelta(days=1)
    return [shown(start), shown(end)]


def events_of(calendars, years):
    by_uid = {}
    for calendar in calendars:
        for event in calendar.walk("VEVENT"):
            uid = str(event.get("UID", ""))  # each without one is an event of its own
            by_uid.setdefault((uid, uid or id(event)), (calendar, []))[1].append(event)
    events = []
    for (uid, _), (calendar, components) in by_uid.items():
        try:
            if any("RECURRENCE-ID" not in one and one.get("STATUS") == "CANCELLED" for one in components):
                continue
            alone = icalendar.Calendar(calendar)
            for zone in calendar.walk("VTIMEZONE"):
                alone.add_component(zone)
            for one in components:
                if "RECURRENCE-ID" in one or one.get("SEQUENCE", 0) >= max(
                    other.get("SEQUENCE", 0) for other in components if "RECURRENCE-ID" not in other
                ):
                    alone.add_component(one)
            found = recurring_ical_events.of(alone).between((years[0], 1, 1), (years[1], 1, 1))
            spans = sorted(span(one) for one in found if one.get("STATUS") != "CANCELLED")
            events.append({"uid": uid, "spans": spans[:MOST]})
        except Exception as error:  # whatever it is, the other events are read
            events.append({"uid": uid, "error": f"{type(error).__name__}: {error}"[:200]})
    return events


def on_alarm(*_):
    raise TimeoutError()


signal.signal(signal.SIGALRM, on_alarm)
for line in sys.stdin:
    first, last, path = line.rstrip("\n").split(" ", 2)
    try:
        signal.alarm(SECONDS)
        with open(path, "rb") as file:
            calendars = icalendar.Calendar.from_ical(file.read(), multiple=True)
        answer = {"events": events_of(calendars, (int(first), int(last)))}
    except BaseException as error:
        answer = {"error": f"{type(error).__name__}: {error}"[:200]}
    finally:
        signal.alarm(0)
    print(json.dumps(answer), flush=True)
