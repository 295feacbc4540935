import type { Provider } from "@/server/domain/providers";

/** One mistake of one row of the table. */
export interface Mistake {
  /** As the specification writes it. */
  field: string;
  /** What is sent, over a body without mistakes. */
  sends: Record<string, unknown>;
  /** Where: POST …/events, unless said otherwise. */
  to?: "events" | "occurrences" | "delete";
  /** Whose calendar: hosted, unless said otherwise. */
  on?: Provider;
  /** Bodies that were written before. */
  after?: Record<string, unknown>[];
}

interface Row {
  key: string;
  /** The table's own words. */
  condition: string;
  mistakes: Mistake[];
}

type Sent = Record<string, unknown>;

const rule = (rule: unknown): Sent => ({ recurrence: { rules: [rule] } });
const daily = (fields: Sent): Sent => rule({ frequency: "daily", ...fields });
const except = (exceptions: unknown): Sent => ({ recurrence: { rules: [{ frequency: "daily" }], exceptions } });
const invite = (...invite: unknown[]): Sent => ({ attendees: { invite }, notify_attendees: false });
const remove = (...remove: unknown[]): Sent => ({ attendees: { remove }, notify_attendees: false });
const guests = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({ email: `guest-${from + i}@acme.io` }));
const all = (field: string, ...sent: Sent[]): Mistake[] => sent.map((sends) => ({ field, sends }));
const days = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    date: new Date(Date.parse("2027-01-04") + i * 86_400_000).toISOString().slice(0, 10),
    summary: "Other",
  }));
const at = (day: string): Sent => ({ start: `${day}T09:00:00+01:00`, end: `${day}T10:00:00+01:00` });
const notEmails = [
  "",
  "ada",
  "ada@",
  "@acme.io",
  "ada@acme",
  "ada lovelace@acme.io",
  "ada@acme.io, bob@acme.io",
].concat("a..b@acme.io", ".a@acme.io", "a@1.2.3.4", "a@b..c", "a@acme.io.", "a@-acme.io");
const notPositive = [0, -1, 1.5, "2", null, true, [1]];
const weekly = daily({ frequency: "weekly", count: 3 });

/** The table "Event-write keys" ("Errors"), in its order. */
export const rowsOfTheTable: Row[] = [
  {
    key: "errors.invalid_format",
    condition:
      "attendees not an object with invite and/or remove; recurrence not an object or null; by_day entry not an object",
    mistakes: [
      ...all("attendees", ...[null, [], "ada@acme.io", 5, {}, { guests: [] }].map((attendees) => ({ attendees }))),
      ...all("recurrence", ...["daily", [], 5, true].map((recurrence) => ({ recurrence }))),
      ...all(
        "recurrence.rules[0].by_day[0]",
        ...["tuesday", null, 2, ["tuesday"]].map((day) => rule({ frequency: "weekly", by_day: [day] })),
      ),
      ...all("recurrence.rules[0].by_day[1]", rule({ frequency: "weekly", by_day: [{ day: "monday" }, "tuesday"] })),
    ],
  },
  {
    key: "errors.invalid_email",
    condition: "not an email address",
    mistakes: [
      ...all("attendees.invite[0].email", ...notEmails.map((email) => invite({ email }))),
      ...all("attendees.invite[2].email", invite(...guests(0, 2), { email: "ada" })),
      ...all("attendees.remove[0].email", ...notEmails.map((email) => remove({ email }))),
    ],
  },
  {
    key: "errors.required",
    condition: "guest without email; conferencing without profile_id; changed occurrence with one of start and end",
    mistakes: [
      ...all("attendees.invite[0].email", invite({}), invite({ display_name: "Ada" })),
      ...all("attendees.remove[1].email", remove(...guests(0, 1), {})),
      ...all("conferencing.profile_id", { conferencing: {} }, { conferencing: { provider: "x" } }),
      ...all(
        "recurrence.exceptions.change[0].end",
        except({ change: [{ date: "2027-01-05", ...at("2027-01-05"), end: undefined }] }),
      ),
      ...all(
        "recurrence.exceptions.change[0].start",
        except({ change: [{ date: "2027-01-05", ...at("2027-01-05"), start: undefined }] }),
      ),
      { field: "end", to: "occurrences", after: [daily({})], sends: { start: "2027-01-04T11:00:00+01:00" } },
      { field: "start", to: "occurrences", after: [daily({})], sends: { end: "2027-01-04T11:00:00+01:00" } },
      ...all("recurrence.rules", { recurrence: {} }, { recurrence: { exceptions: { add: [] } } }),
      ...all("recurrence.rules[0].frequency", rule({}), rule({ interval: 2 })),
      ...all("recurrence.rules[0].by_day[0].day", rule({ frequency: "weekly", by_day: [{}] })),
      ...all("recurrence.exceptions.add[0].date", except({ add: [{}] })),
      ...all("recurrence.exceptions.change[0].date", except({ change: [{ summary: "Other" }] })),
    ],
  },
  {
    key: "errors.too_big",
    condition:
      "more than 100 entries in invite or remove; address over 254 or name over 256 chars; interval over 99; count over 730; more than 64 entries in exceptions.add or exceptions.change",
    mistakes: [
      ...all("attendees.invite", invite(...guests(0, 101))),
      ...all("attendees.remove", remove(...guests(0, 101))),
      ...all("attendees.invite[0].email", invite({ email: `${"a".repeat(247)}@acme.io` })),
      ...all("attendees.remove[0].email", remove({ email: `${"a".repeat(247)}@acme.io` })),
      ...all("attendees.invite[0].display_name", invite({ email: "ada@acme.io", display_name: "𝄞".repeat(257) })),
      ...all("recurrence.rules[0].interval", daily({ interval: 100 })),
      ...all("recurrence.rules[0].count", daily({ count: 731 })),
      ...all("recurrence.exceptions.add", except({ add: days(65) })),
      ...all("recurrence.exceptions.change", except({ change: days(65) })),
    ],
  },
  {
    key: "errors.too_many_attendees",
    condition: "event would have more than 100 guests",
    mistakes: [
      { field: "attendees", after: [invite(...guests(0, 60))], sends: invite(...guests(60, 101)) },
      { field: "attendees", on: "google", after: [invite(...guests(0, 100))], sends: invite(...guests(100, 101)) },
    ],
  },
  {
    key: "errors.attendees_unsupported",
    condition: "guests on a calendar that sends no invitations",
    mistakes: [
      ...all("attendees", { ...invite(...guests(0, 1)), notify_attendees: undefined }),
      ...all("attendees", { ...invite(...guests(0, 1)), notify_attendees: true }),
    ],
  },
  {
    key: "errors.notify_attendees_unsupported",
    condition: "false on an event with guests in a calendar that always tells them (prov_b)",
    mistakes: [
      { field: "notify_attendees", on: "microsoft", sends: invite(...guests(0, 1)) },
      {
        field: "notify_attendees",
        on: "microsoft",
        after: [{ attendees: { invite: guests(0, 1) } }],
        sends: { summary: "Other", notify_attendees: false },
      },
      {
        field: "notify_attendees",
        on: "microsoft",
        after: [{ attendees: { invite: guests(0, 1) } }],
        sends: remove(...guests(0, 1)),
      },
      {
        field: "notify_attendees",
        on: "microsoft",
        to: "delete",
        after: [{ attendees: { invite: guests(0, 1) } }],
        sends: { notify_attendees: false },
      },
      {
        field: "notify_attendees",
        on: "microsoft",
        to: "delete",
        after: [{ attendees: { invite: guests(0, 1) }, ...daily({}) }],
        sends: { occurrence_date: "2027-01-05", notify_attendees: false },
      },
      {
        field: "notify_attendees",
        on: "microsoft",
        to: "occurrences",
        after: [{ attendees: { invite: guests(0, 1) }, ...daily({}) }],
        sends: { notify_attendees: false },
      },
    ],
  },
  {
    key: "errors.invalid_value",
    condition: "not default, integrated or none",
    mistakes: all(
      "conferencing.profile_id",
      ...["", "Default", "zoom", 5, null, ["none"]].map((profile_id) => ({ conferencing: { profile_id } })),
    ),
  },
  {
    key: "errors.conferencing_unavailable",
    condition: "integrated on a calendar with no own meeting link",
    mistakes: (["hosted", "google", "microsoft", "outlook", "icloud"] as const).map((on) => ({
      field: "conferencing.profile_id",
      on,
      sends: { conferencing: { profile_id: "integrated" } },
    })),
  },
  {
    key: "errors.max_recurrence_rules_exceeded",
    condition: "more than one rule",
    mistakes: all("recurrence.rules", { recurrence: { rules: [{ frequency: "daily" }, { frequency: "weekly" }] } }),
  },
  {
    key: "errors.too_small",
    condition: "no rule (to stop a series send recurrence null)",
    mistakes: [
      ...all("recurrence.rules", { recurrence: { rules: [] } }),
      { field: "recurrence.rules", after: [daily({})], sends: { recurrence: { rules: [] } } },
    ],
  },
  {
    key: "errors.not_recognized",
    condition: "not daily, weekly, monthly, yearly",
    mistakes: all(
      "recurrence.rules[0].frequency",
      ...["hourly", "Daily", "", 5, null, ["daily"]].map((frequency) => rule({ frequency })),
    ),
  },
  {
    key: "errors.not_supported",
    condition:
      "a field a rule does not have, a by_day field other than day and nth_of_period, an exceptions list other than add and change",
    mistakes: [
      ...["by_month_day", "by_month", "by_set_pos", "week_start", "BY_DAY"].flatMap((name) =>
        all(`recurrence.rules[0].${name}`, daily({ [name]: [1] })),
      ),
      ...all("recurrence.rules[0].by_day[0].week", rule({ frequency: "weekly", by_day: [{ day: "monday", week: 1 }] })),
      ...all("recurrence.exceptions.remove", except({ remove: [] })),
    ],
  },
  {
    key: "errors.must_be_integer_greater_than_zero",
    condition: "not a whole number above zero",
    mistakes: ["interval", "count"].flatMap((name) =>
      all(`recurrence.rules[0].${name}`, ...notPositive.map((value) => daily({ [name]: value }))),
    ),
  },
  {
    key: "errors.must_be_date",
    condition: "not YYYY-MM-DD",
    mistakes: all(
      "recurrence.rules[0].until",
      ...["", "2027-2-1", "2027-02-30", "20270201", "2027-02-01T00:00:00Z", 5, null, {}].map((until) =>
        daily({ until }),
      ),
    ),
  },
  {
    key: "errors.not_supported_count_until_combination",
    condition: "count and until together",
    mistakes: all("recurrence.rules[0].until", daily({ count: 3, until: "2027-02-01" })),
  },
  {
    key: "errors.invalid",
    condition:
      "start not an occurrence of the rule; by_day wrong for the frequency; monthly start on 29th to 31st or yearly on 29 February; until before start; timed series without tzid; exception date invalid or named twice",
    mistakes: [
      ...all(
        "recurrence.rules[0].by_day",
        rule({ frequency: "weekly", by_day: [{ day: "tuesday" }, { day: "sunday" }] }),
        rule({ frequency: "monthly", by_day: [{ day: "monday", nth_of_period: 2 }] }),
        rule({ frequency: "monthly", by_day: [{ day: "monday", nth_of_period: -1 }] }),
        daily({ by_day: [{ day: "monday" }] }),
        rule({ frequency: "yearly", by_day: [{ day: "monday", nth_of_period: 1 }] }),
        rule({ frequency: "weekly", by_day: [{ day: "monday", nth_of_period: 1 }] }),
        rule({ frequency: "monthly", by_day: [{ day: "monday" }] }),
      ),
      ...all(
        "recurrence.rules[0].frequency",
        ...["2027-01-29", "2027-01-30", "2027-01-31"].map((day) => ({ ...at(day), ...rule({ frequency: "monthly" }) })),
        { start: "2027-01-31", end: "2027-02-01", ...rule({ frequency: "monthly" }) },
        { ...at("2028-02-29"), ...rule({ frequency: "yearly" }) },
      ),
      ...all("recurrence.rules[0].until", daily({ until: "2027-01-03" })),
      // In Berlin it is the 5th already.
      ...all("recurrence.rules[0].until", {
        start: "2027-01-04T23:30:00Z",
        end: "2027-01-05T00:30:00Z",
        ...daily({ until: "2027-01-04" }),
      }),
      ...all("tzid", { tzid: undefined, ...daily({}) }),
      {
        field: "tzid",
        after: [{ start: "2027-01-04", end: "2027-01-05", tzid: undefined, ...daily({}) }],
        sends: { tzid: undefined },
      },
      ...all(
        "recurrence.exceptions.add[0].date",
        ...["", "2027-02-30", "2027-01-05T09:00:00Z", 5, null, "2027-01-03"].map((date) => except({ add: [{ date }] })),
      ),
      ...all("recurrence.exceptions.add[3].date", except({ add: [...days(3), { date: "2027-01-05" }] })),
      ...all("recurrence.exceptions.change[1].date", except({ change: [days(1)[0], days(1)[0]] })),
      ...all("recurrence.exceptions.change[0].date", except({ add: days(1), change: days(1) })),
      ...all("recurrence.exceptions.add[0].date", {
        recurrence: { rules: [{ frequency: "weekly" }], exceptions: { add: [{ date: "2027-01-05" }] } },
      }),
      ...all(
        "recurrence.exceptions.change[0].end",
        except({ change: [{ date: "2027-01-05", start: at("2027-01-05").end, end: at("2027-01-05").start }] }),
      ),
      {
        field: "recurrence",
        after: [rule({ frequency: "weekly", by_day: [{ day: "monday" }] })],
        sends: at("2027-01-05"),
      },
    ],
  },
  {
    key: "errors.not_recurring",
    condition: "event does not repeat",
    mistakes: (["occurrences", "delete"] as const).map((to) => ({
      field: "occurrence_date",
      to,
      after: [{}],
      sends: { occurrence_date: "2027-01-04" },
    })),
  },
  {
    key: "errors.not_an_occurrence",
    condition: "series has no occurrence on that day",
    mistakes: (["occurrences", "delete"] as const).flatMap((to) =>
      ["2027-01-03", "2027-01-05", "2027-01-25", "2026-12-28"].map((occurrence_date) => ({
        field: "occurrence_date",
        to,
        after: [weekly],
        sends: { occurrence_date },
      })),
    ),
  },
];
