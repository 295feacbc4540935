import { describe, expect, it } from "vitest";
import { providerCalendar, type WritableCalendar } from "../api/provider-calendar";
import { expectEmpty, expectIssues } from "../api/responses";
import { openCalendar } from "../api/service";
import { storedRows } from "../api/stored-rows";
import { type Mistake, rowsOfTheTable } from "./event-write-keys";

describe('"Event-write keys"', () => {
  for (const { key, condition, mistakes } of rowsOfTheTable) {
    describe(`${key}: ${condition}`, () => {
      it.each(mistakes.map((mistake) => [titleOf(mistake), mistake] as const))("%s", async (_, mistake) => {
        const calendar = await calendarOf(mistake);
        for (const body of mistake.after ?? []) {
          expectEmpty(await send(calendar, { field: "", sends: body }), 202);
        }
        const before = await storedRows(calendar.application);
        const answer = await send(calendar, mistake);
        expectIssues(answer, { [mistake.field]: key });
        expect(answer.json.errors[mistake.field][0].description).toContain(mistake.field);
        expect(await storedRows(calendar.application)).toEqual(before);
      });
    });
  }
});

const atOnce: [string, Record<string, unknown>, Record<string, string | string[]>][] = [
  [
    "several mistakes of one rule",
    {
      recurrence: {
        rules: [
          { frequency: "hourly", interval: 0, count: 731, until: "soon", by_month: [1], by_day: ["monday"] },
          { frequency: "daily" },
        ],
      },
    },
    {
      "recurrence.rules": "errors.max_recurrence_rules_exceeded",
      "recurrence.rules[0].frequency": "errors.not_recognized",
      "recurrence.rules[0].interval": "errors.must_be_integer_greater_than_zero",
      "recurrence.rules[0].count": "errors.too_big",
      "recurrence.rules[0].until": ["errors.must_be_date", "errors.not_supported_count_until_combination"],
      "recurrence.rules[0].by_month": "errors.not_supported",
      "recurrence.rules[0].by_day[0]": "errors.invalid_format",
    },
  ],
  [
    "mistakes of every part of the body",
    {
      event_id: undefined,
      summary: 5,
      tzid: "Mars/Olympus",
      location: { description: 5 },
      attendees: { invite: [{}, { email: "x" }], remove: [{ email: "y" }] },
      notify_attendees: "no",
      conferencing: {},
      recurrence: { rules: [{ frequency: "weekly", by_day: [{ day: "Monday" }] }], exceptions: { skip: [] } },
    },
    {
      event_id: "errors.required",
      summary: "errors.invalid_type",
      tzid: "errors.invalid",
      "location.description": "errors.invalid_type",
      "attendees.invite[0].email": "errors.required",
      "attendees.invite[1].email": "errors.invalid_email",
      "attendees.remove[0].email": "errors.invalid_email",
      notify_attendees: "errors.invalid_type",
      "conferencing.profile_id": "errors.required",
      "recurrence.rules[0].by_day[0].day": "errors.invalid_value",
      "recurrence.exceptions.skip": "errors.not_supported",
    },
  ],
  [
    "what depends on start and on the time zone, beside other mistakes",
    {
      summary: undefined,
      recurrence: {
        rules: [{ frequency: "weekly", by_day: [{ day: "tuesday" }], until: "2026-12-31" }],
        exceptions: { add: [{ date: "2027-02-30" }], change: [{ date: "2027-01-05", start: "2027-01-05" }] },
      },
    },
    {
      summary: "errors.required",
      "recurrence.rules[0].by_day": "errors.invalid",
      "recurrence.rules[0].until": "errors.invalid",
      "recurrence.exceptions.add[0].date": "errors.invalid",
      "recurrence.exceptions.change[0].end": "errors.required",
    },
  ],
  [
    "a timed series without tzid, beside other mistakes",
    { tzid: undefined, url: 5, recurrence: { rules: [{ frequency: "daily", interval: 100 }] } },
    {
      url: "errors.invalid_type",
      tzid: "errors.invalid",
      "recurrence.rules[0].interval": "errors.too_big",
    },
  ],
];

describe('"422 rules"', () => {
  it.each(atOnce)("several mistakes of the whole body are reported at once: %s", async (_, sends, mistakes) => {
    const calendar = await openCalendar();
    expectIssues(await send(calendar, { field: "", sends }), mistakes);
    expect((await storedRows(calendar.application)).events).toEqual([]);
  });

  it("several mistakes of the calendar are reported at once", async () => {
    const calendar = await openCalendar();
    const sends = { attendees: { invite: [{ email: "a@acme.io" }] }, conferencing: { profile_id: "integrated" } };
    expectIssues(await send(calendar, { field: "", sends }), {
      attendees: "errors.attendees_unsupported",
      "conferencing.profile_id": "errors.conferencing_unavailable",
    });
  });

  it("the body is checked first and the calendar second", async () => {
    const calendar = await openCalendar();
    const unknown = { ...calendar, calendarId: "cal_unknown" };
    const calendars = { attendees: { invite: [{ email: "a@acme.io" }] }, conferencing: { profile_id: "integrated" } };
    expectIssues(await send(calendar, { field: "", sends: { ...calendars, summary: 5 } }), {
      summary: "errors.invalid_type",
    });
    expectIssues(await send(unknown, { field: "", sends: { summary: 5 } }), { summary: "errors.invalid_type" });
    expectEmpty(await send(unknown, { field: "", sends: calendars }), 404);
    for (const to of ["occurrences", "delete"] as const) {
      const malformed = { field: "", to, sends: { occurrence_date: "x" } };
      expectIssues(await send(unknown, malformed), { occurrence_date: "errors.invalid" });
      expectEmpty(await send(unknown, { ...malformed, sends: {} }), 404);
    }
  });
});

function titleOf({ field, sends, to = "events", on = "hosted" }: Mistake): string {
  const sent = JSON.stringify(sends);
  return `${field} of ${to} on ${on}: ${sent.length > 120 ? `${sent.slice(0, 117)}...` : sent}`;
}

function calendarOf({ on = "hosted" }: Mistake): Promise<WritableCalendar> {
  return on === "hosted" ? openCalendar() : providerCalendar(on);
}

/** Monday, 4 January 2027. */
const event = {
  event_id: "meeting",
  summary: "Planning",
  start: "2027-01-04T09:00:00+01:00",
  end: "2027-01-04T10:00:00+01:00",
  tzid: "Europe/Berlin",
};
const occurrence = { event_id: "meeting", occurrence_date: "2027-01-04", summary: "Other" };

function send(calendar: Pick<WritableCalendar, "calendarId" | "post" | "remove">, { to = "events", sends }: Mistake) {
  const path = `/v1/calendars/${calendar.calendarId}/events`;
  if (to === "events") return calendar.post(path, { ...event, ...sends });
  if (to === "occurrences") return calendar.post(`${path}/occurrences`, { ...occurrence, ...sends });
  return calendar.remove(path, { event_id: "meeting", ...sends });
}
