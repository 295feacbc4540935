import { expect, it } from "vitest";
import type { EventState, RuleSeries, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { changedFieldsOf } from "@/server/domain/merge/changed-fields";
import type { Instant } from "@/server/domain/time/instant";
import { guest, single } from "@/tests/unit/providers/icalendar/given-state";
import { rule } from "@/tests/unit/recurrence/given";

const daily: RuleSeries = {
  ...{ rules: [{ frequency: "daily" }], rule: rule("daily"), skipped: ["2026-11-30"] },
  changed: [{ day: "2026-12-02", span: null, texts: { summary: "Other" } }],
};
const icalRecurrence: StoredIcalRecurrence = {
  ...{
    allDay: false,
    start: 0 as StoredIcalRecurrence["start"],
    tzid: "Europe/Berlin",
    duration: { days: 0, exact: 3_600_000 },
  },
  ...{ rrules: ["FREQ=DAILY;BYHOUR=9,17"], exrules: [], rdates: [], exdates: [], overrides: [] },
};
const later = { ...single().span, ends: (single().span.ends + 60_000) as Instant };
const series = (more: Partial<RuleSeries>) => ({ ruleSeries: { ...daily, ...more } });

it.each<[string, Partial<EventState>, Partial<EventState>, string[]]>([
  ["nothing", {}, {}, []],
  ["a text", {}, { summary: "New" }, ["summary"]],
  [
    "several",
    {},
    { description: "New", location: "There", url: "https://a.example" },
    ["description", "location", "url"],
  ],
  ["an empty place in place of none", {}, { location: "", url: "" }, []],
  ["the end", {}, { span: later }, ["when"]],
  ["the time zone", {}, { tzid: "Europe/London" }, ["when"]],
  ["nothing of when, sent in UTC", {}, { tzid: null, summary: "New" }, ["summary"]],
  ["the end, sent in UTC", {}, { tzid: null, span: later }, ["when"]],
  ["a single event in UTC by a time zone", { tzid: null }, { tzid: "Europe/London" }, ["when"]],
  ["the time zone of a series", series({}), { ...series({}), tzid: null }, ["when"]],
  ["the time zone of a series of others", { icalRecurrence }, { icalRecurrence, tzid: null }, ["when"]],
  ["transparency", {}, { transparency: "transparent" }, ["transparency"]],
  ["the meeting link", { conferencing: { provider: "other", join_url: "https://a.example" } }, {}, ["conferencing"]],
  [
    "replies and what no application can say",
    { attendees: [guest("a@acme.io")] },
    { attendees: [guest("a@acme.io", { status: "declined" })], private: true, status: "tentative" },
    [],
  ],
  [
    "guests who come and go",
    { attendees: [guest("a@acme.io")] },
    { attendees: [guest("b@acme.io")] },
    ["a@acme.io", "b@acme.io"],
  ],
  [
    "a rule by the same one, sent in other words",
    series({}),
    series({ rules: [{ frequency: "daily", interval: 1 }] }),
    [],
  ],
  ["a rule", series({}), series({ rule: rule("weekly") }), ["rule"]],
  ["no rule by one", { ruleSeries: null }, series({}), ["rule", "2026-11-30", "2026-12-02"]],
  [
    "a day that is skipped, one that is back",
    series({}),
    series({ skipped: ["2026-12-01"] }),
    ["2026-11-30", "2026-12-01"],
  ],
  ["what a day says", series({}), series({ changed: [{ day: "2026-12-02", span: null, texts: {} }] }), ["2026-12-02"]],
  [
    "a changed day that is skipped",
    series({}),
    series({ skipped: ["2026-11-30", "2026-12-02"], changed: [] }),
    ["2026-12-02"],
  ],
  [
    "a series of others that is kept",
    { icalRecurrence },
    { icalRecurrence: { ...icalRecurrence, duration: { days: 1, exact: 0 } } },
    [],
  ],
  ["a series of others that ends", { icalRecurrence }, {}, ["rule"]],
  ["a series of others by one of ours", { icalRecurrence }, series({ skipped: [], changed: [] }), ["rule"]],
])("a write that changes %s touches that", (_, before, after, touched) => {
  const asStored = JSON.parse(JSON.stringify(single(before)));
  expect(changedFieldsOf(asStored, single(after)).sort()).toEqual([...touched].sort());
});
