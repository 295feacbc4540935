import { describe, expect, it } from "vitest";
import type { EventState, RuleSeries } from "@/server/domain/events/event-state";
import type { WriteInput } from "@/server/providers/writing";
import { at, eventState, guest, ruleSeries, writingToMicrosoft } from "./microsoft-writing";

const BOB = "bob@example.com";
const CAROL = "carol@example.com";
const ending = { count: 10, until: null };

/** A change of one occurrence: its day, and the clock of its new times in UTC, or a title. */
const moved = (day: string, from = "10:00", to = "11:00", on = day) => ({
  ...{ day, span: { starts: at(`${on}T${from}:00Z`), ends: at(`${on}T${to}:00Z`), allDay: false }, texts: {} },
});
const named = (day: string, summary: string) => ({ day, span: null, texts: { summary } });

/** A daily series of ten hours from 1 March 2027 on. */
function series(exceptions: Partial<RuleSeries> = {}, more: Partial<EventState> = {}): EventState {
  return eventState({ ruleSeries: ruleSeries(ending, exceptions), ...more });
}

async function seriesAtMicrosoft(exceptions: Partial<RuleSeries> = {}, more: Partial<EventState> = {}) {
  const writing = await writingToMicrosoft();
  const state = series(exceptions, more);
  await writing.push(state);
  writing.asked();
  writing.fake.outbox.length = 0;
  let base: RuleSeries | null = state.ruleSeries;
  /** Writes a change of the series as the engine does. */
  const change = async (next: EventState, changedFields: string[], input: Partial<WriteInput> = {}) => {
    const written = await writing.push(next, { base, changedFields, ...input });
    if (written.kind === "done") base = next.ruleSeries;
    return written;
  };
  /** The starts of the first days in UTC with their titles. */
  const days = async () => {
    const path = `/me/calendars/${writing.calendar.id}/events/${writing.id()}/instances`;
    const query = { startDateTime: "2027-02-01", endDateTime: "2027-05-01", $top: 50 };
    const { body } = await writing.api({ kind: "read_event", path, query });
    writing.asked();
    const items = body.value as { subject: string; start: { dateTime: string } }[];
    return items.map(({ subject, start }) => `${start.dateTime.slice(5, 16)} ${subject}`);
  };
  const deviations = () => writing.calendar.deviations(writing.id());
  return { ...writing, change, days, deviations };
}

describe("a new series at Microsoft", () => {
  it("takes three requests, whatever number of exceptions it has", async () => {
    const { push, asked, calendar, id, read, notes } = await writingToMicrosoft();
    const skipped = ["2027-03-02", "2027-03-04"];
    const written = await push(series({ skipped, changed: [moved("2027-03-05"), named("2027-03-06", "Review")] }));
    expect(asked()).toEqual([
      ...["POST events", "GET events/…/instances", "POST $batch"],
      ...["[DELETE events/…]", "[DELETE events/…]", "[PATCH events/…]", "[PATCH events/…]", "[GET events/…]"],
    ]);
    expect(calendar.deviations(id())).toEqual({ cancelled: skipped, exceptions: ["2027-03-05", "2027-03-06"] });
    const { version, parts } = await read(id());
    expect(written).toMatchObject({ kind: "done", version, parts });
    expect(notes.at(-1)).toEqual({ externalId: id(), part: null, version });
    expect(notes.filter(({ part, version: etag }) => part !== null && etag !== null)).toHaveLength(2);
  });

  it("has its exceptions when an earlier try was cut short", async () => {
    const { push, fake, calendar, id } = await writingToMicrosoft();
    const state = series({ skipped: ["2027-03-02"], changed: [moved("2027-03-05")] });
    // A request on a kept connection that breaks is sent once more on a new one.
    fake.faults.next({ method: "POST", path: /batch/, times: 2, breakConnection: true, afterWork: true });
    await expect(push(state)).rejects.toMatchObject({ fault: { kind: "down" } });
    await push(state);
    expect(calendar.deviations(id())).toEqual({ cancelled: ["2027-03-02"], exceptions: ["2027-03-05"] });
    expect(calendar.events()).toHaveLength(1);
  });

  it("has each of 64 skipped and 64 changed occurrences, twenty in a batch", async () => {
    const { push, calendar, id, asked } = await writingToMicrosoft();
    const dates = Array.from({ length: 128 }, (_, i) => new Date(at("2027-03-02") + i * 86_400_000));
    const days = dates.map((date) => date.toISOString().slice(0, 10));
    const changed = days.slice(64).map((day) => named(day, "Review"));
    await push(eventState({ ruleSeries: ruleSeries({}, { skipped: days.slice(0, 64), changed }) }));
    expect(calendar.deviations(id())).toEqual({ cancelled: days.slice(0, 64), exceptions: days.slice(64) });
    expect(asked().filter((line) => line === "POST $batch")).toHaveLength(Math.ceil((128 + 1) / 20));
  });

  it("waits where Graph says so in the middle of a batch, and goes on with what is left", async () => {
    const { push, fake, calendar, id, asked } = await writingToMicrosoft();
    const state = series({ skipped: ["2027-03-02"], changed: [named("2027-03-05", "Review"), moved("2027-03-06")] });
    fake.faults.next({ method: "PATCH", respond: "tooManyRequests", retryAfter: 7 });
    const fault = { kind: "throttled", after: 7_000, scope: "mailbox" };
    await expect(push(state)).rejects.toMatchObject({ fault });
    asked();
    await push(state, { externalId: calendar.events()[0]?.id ?? "" });
    expect(asked().filter((line) => line.startsWith("[PATCH") || line.startsWith("[DELETE"))).toHaveLength(2);
    expect(calendar.deviations(id())).toEqual({ cancelled: ["2027-03-02"], exceptions: ["2027-03-05", "2027-03-06"] });
  });

  it("finds occurrences that are years apart", async () => {
    const { push, calendar, id } = await writingToMicrosoft();
    const skipped = ["2027-03-02", "2029-03-02", "2031-03-02"];
    await push(eventState({ ruleSeries: ruleSeries({}, { skipped }) }));
    expect(calendar.deviations(id()).cancelled).toEqual(skipped);
  });

  it("has exceptions on the dates of its zone, which in UTC are others", async () => {
    const { push, calendar, id } = await writingToMicrosoft();
    const span = { starts: at("2027-03-01T12:00:00Z"), ends: at("2027-03-01T13:00:00Z"), allDay: false };
    await push(series({ skipped: ["2027-03-04"] }, { span, tzid: "Pacific/Auckland" }));
    expect(calendar.deviations(id()).cancelled).toEqual(["2027-03-04"]);
  });

  it("has exceptions when it is all-day, in any zone", async () => {
    const { push, calendar, id, read } = await writingToMicrosoft();
    const span = { starts: at("2027-03-01T00:00:00Z"), ends: at("2027-03-02T00:00:00Z"), allDay: true };
    const changed = [named("2027-03-05", "Off")];
    await push(series({ skipped: ["2027-03-04"], changed }, { span, tzid: "Pacific/Apia" }));
    expect(calendar.deviations(id())).toEqual({ cancelled: ["2027-03-04"], exceptions: ["2027-03-05"] });
    expect((await read(id())).state.icalRecurrence).toMatchObject({
      ...{
        exdates: [{ text: "20270304" }],
        overrides: [{ recurrenceId: at("2027-03-05"), fields: { summary: "Off" } }],
      },
    });
  });
});

describe("occurrences at Microsoft", () => {
  it("are changed, cancelled, and as their series again", async () => {
    const { change, days, asked } = await seriesAtMicrosoft();
    await change(series({ changed: [moved("2027-03-02"), named("2027-03-03", "Review")], skipped: ["2027-03-04"] }), [
      ...["2027-03-02", "2027-03-03", "2027-03-04"],
    ]);
    expect(asked().filter((line) => !line.startsWith("["))).toEqual([
      ...["GET events/…", "GET events/…/instances", "POST $batch"],
    ]);
    expect((await days()).slice(0, 4)).toEqual([
      ...["03-01T08:00 Planning", "03-02T10:00 Planning", "03-03T08:00 Review", "03-05T08:00 Planning"],
    ]);
    await change(series({ skipped: ["2027-03-04"] }), ["2027-03-02", "2027-03-03"]);
    expect(asked().filter((line) => !line.startsWith("["))).toEqual(["GET events/…", "POST $batch"]);
    expect((await days()).slice(0, 4)).toEqual([
      ...["03-01T08:00 Planning", "03-02T08:00 Planning", "03-03T08:00 Planning", "03-05T08:00 Planning"],
    ]);
  });

  it("are there again after they were cancelled, and the others stay what they are", async () => {
    const { change, days, deviations, asked } = await seriesAtMicrosoft({
      ...{ skipped: ["2027-03-02", "2027-03-04"], changed: [named("2027-03-03", "Review")] },
    });
    await change(series({ skipped: ["2027-03-04"], changed: [named("2027-03-03", "Review")] }), ["2027-03-02"]);
    expect(deviations()).toEqual({ cancelled: ["2027-03-04"], exceptions: ["2027-03-03"] });
    expect((await days()).slice(0, 4)).toEqual([
      ...["03-01T08:00 Planning", "03-02T08:00 Planning", "03-03T08:00 Review", "03-05T08:00 Planning"],
    ]);
    await change(series({ skipped: [], changed: [moved("2027-03-04")] }), ["2027-03-03", "2027-03-04"]);
    expect((await days()).slice(0, 4)).toEqual([
      ...["03-01T08:00 Planning", "03-02T08:00 Planning", "03-03T08:00 Planning", "03-04T10:00 Planning"],
    ]);
    asked();
    await change(series({ changed: [moved("2027-03-04")] }), []);
    expect(asked()).toEqual(["GET events/…"]);
  });

  it("of every second week come back too, of which there is but one form", async () => {
    const { push, calendar, id } = await writingToMicrosoft();
    const byDay = [0, 6].map((weekday) => ({ weekday, nth: null }));
    const rule = { frequency: "weekly" as const, interval: 2, byDay };
    const skipped = ["2027-03-07", "2027-03-15"];
    const of = (days: string[]) => eventState({ ruleSeries: ruleSeries(rule, { skipped: days }) });
    await push(of(skipped));
    expect(calendar.deviations(id()).cancelled).toEqual(skipped);
    const base = ruleSeries(rule, { skipped });
    await push(of(["2027-03-15"]), { base, changedFields: ["2027-03-07"] });
    expect(calendar.deviations(id()).cancelled).toEqual(["2027-03-15"]);
    expect(calendar.event(id())?.recurrence?.pattern).toMatchObject({ firstDayOfWeek: "monday", interval: 2 });
  });

  it("come back with all others when the write is cut short in between", async () => {
    const { change, deviations, fake, calendar, id } = await seriesAtMicrosoft({
      ...{ skipped: ["2027-03-02", "2027-03-04"], changed: [named("2027-03-03", "Review")] },
    });
    // Of the two batches the second.
    fake.faults.next({ method: "POST", path: /batch/, after: 1, respond: "serviceUnavailable" });
    const next = series({ skipped: ["2027-03-04"], changed: [named("2027-03-03", "Review")] });
    await expect(change(next, ["2027-03-02"])).rejects.toMatchObject({ fault: { kind: "down" } });
    expect(deviations()).toEqual({ cancelled: [], exceptions: [] });
    await change(next, ["2027-03-02"]);
    expect(deviations()).toEqual({ cancelled: ["2027-03-04"], exceptions: ["2027-03-03"] });
    const restoring = Object.entries(calendar.properties(id())).find(([name]) => name.endsWith("almanac_restoring"));
    expect(restoring?.[1]).toBe("");
  });

  it("that others changed or cancelled stay so", async () => {
    const { change, calendar, id, days } = await seriesAtMicrosoft();
    calendar.deleteOccurrence(id(), "2027-03-02");
    calendar.changeEvent(calendar.occurrenceId(id(), "2027-03-03"), { subject: "Theirs" });
    const written = await change(series({ changed: [named("2027-03-05", "Ours")] }), ["2027-03-05"]);
    expect(written).toMatchObject({ tookRemote: true });
    expect((await days()).slice(0, 4)).toEqual([
      ...["03-01T08:00 Planning", "03-03T08:00 Theirs", "03-04T08:00 Planning", "03-05T08:00 Ours"],
    ]);
  });

  it("that cross another are refused with Graph's reason, and the rest is noted", async () => {
    const { change, notes, id } = await seriesAtMicrosoft();
    notes.length = 0;
    const changed = [named("2027-03-03", "Review"), moved("2027-03-05", "10:00", "11:00", "2027-03-07")];
    const written = await change(series({ changed }), ["2027-03-03", "2027-03-05"]);
    expect(written).toEqual({ kind: "refused", reason: "http_400_ErrorOccurrenceCrossingBoundary" });
    expect(notes).toMatchObject([{ part: expect.any(String) }, { externalId: id(), part: null }]);
  });

  it("have a place and a description of their own", async () => {
    const { change, calendar, id, read } = await seriesAtMicrosoft({}, { description: "All", location: "Room 4" });
    const texts = { description: "Once", location: "" };
    const state = series(
      { changed: [{ day: "2027-03-02", span: null, texts }] },
      { description: "All", location: "Room 4" },
    );
    await change(state, ["2027-03-02"]);
    const { overrides } = (await read(id())).state.icalRecurrence ?? {};
    expect(overrides).toMatchObject([{ fields: { description: "Once", location: null } }]);
    expect(calendar.deviations(id()).exceptions).toEqual(["2027-03-02"]);
  });
});

describe("a series at Microsoft that changes", () => {
  const exceptions = { skipped: ["2027-03-04"], changed: [named("2027-03-03", "Review")] };

  it("has its exceptions at its new time", async () => {
    const { change, days, asked } = await seriesAtMicrosoft(exceptions);
    const span = { starts: at("2027-03-01T12:00:00Z"), ends: at("2027-03-01T13:00:00Z"), allDay: false };
    await change(series(exceptions, { span }), ["when"]);
    expect(asked().filter((line) => !line.startsWith("["))).toEqual([
      ...["GET events/…", "POST $batch", "GET events/…/instances", "POST $batch"],
    ]);
    expect((await days()).slice(0, 4)).toEqual([
      ...["03-01T12:00 Planning", "03-02T12:00 Planning", "03-03T12:00 Review", "03-05T12:00 Planning"],
    ]);
  });

  it.each(["when", "rule"])("has its exceptions when the write of its %s was cut short", async (what) => {
    const { change, deviations, fake } = await seriesAtMicrosoft(exceptions);
    const span = { starts: at("2027-03-01T12:00:00Z"), ends: at("2027-03-01T13:00:00Z"), allDay: false };
    const longer = ruleSeries({ count: 12 }, exceptions);
    const next = what === "when" ? series(exceptions, { span }) : eventState({ ruleSeries: longer });
    fake.faults.next({ method: "GET", path: /instances/, respond: "serviceUnavailable" });
    await expect(change(next, [what])).rejects.toMatchObject({ fault: { kind: "down" } });
    expect(deviations()).toEqual({ cancelled: [], exceptions: [] });
    await change(next, [what]);
    expect(deviations()).toEqual({ cancelled: ["2027-03-04"], exceptions: ["2027-03-03"] });
  });

  it("keeps exceptions of others when only its title changes", async () => {
    const { change, calendar, id, days } = await seriesAtMicrosoft(exceptions);
    calendar.deleteOccurrence(id(), "2027-03-02");
    await change(series(exceptions, { summary: "New" }), ["summary"]);
    expect((await days()).slice(0, 3)).toEqual(["03-01T08:00 New", "03-03T08:00 Review", "03-05T08:00 New"]);
  });

  it("becomes a single event, and a series again", async () => {
    const { change, shown, days } = await seriesAtMicrosoft(exceptions);
    await change(eventState(), ["rule"]);
    expect(shown()).toMatchObject({ type: "singleInstance", recurrence: null });
    await change(series({ skipped: ["2027-03-02"] }), ["rule"]);
    expect((await days()).slice(0, 2)).toEqual(["03-01T08:00 Planning", "03-03T08:00 Planning"]);
  });

  it("keeps a pattern of others that the API has no words for", async () => {
    const { change, calendar, id, shown } = await seriesAtMicrosoft();
    const pattern = { type: "relativeMonthly", interval: 1, daysOfWeek: ["monday", "tuesday"], index: "last" } as const;
    calendar.changeEvent(id(), {
      recurrence: {
        pattern: { ...pattern, daysOfWeek: [...pattern.daysOfWeek] },
        range: { type: "noEnd", startDate: "2027-03-01" },
      },
    });
    await change(series({}, { summary: "New" }), ["summary"]);
    expect(shown()).toMatchObject({ subject: "New", recurrence: { pattern } });
  });

  it("is not rewritten for seconds, which Exchange does not count", async () => {
    const span = { starts: at("2027-03-01T08:00:12Z"), ends: at("2027-03-01T09:00:40Z"), allDay: false };
    const { change, asked } = await seriesAtMicrosoft({}, { span });
    await change(series({}, { span }), []);
    expect(asked()).toEqual(["GET events/…"]);
  });
});

describe("guests of a series at Microsoft", () => {
  it("are invited to occurrences that have a guest list of their own", async () => {
    const { change, calendar, id, fake } = await seriesAtMicrosoft({}, { attendees: [guest(BOB)] });
    const occurrence = calendar.occurrenceId(id(), "2027-03-03");
    calendar.forward(occurrence, { address: "dan@example.com" });
    await change(series({}, { attendees: [guest(BOB), guest(CAROL)] }), []);
    const addresses = calendar.event(occurrence)?.attendees?.map(({ emailAddress }) => emailAddress?.address);
    expect(addresses).toEqual([BOB, "dan@example.com", CAROL]);
    expect(fake.outbox.filter(({ kind }) => kind === "cancellation")).toEqual([]);
    await change(series({}, { attendees: [guest(CAROL)] }), [], { removedGuests: [BOB] });
    const left = calendar.event(occurrence)?.attendees?.map(({ emailAddress }) => emailAddress?.address);
    expect(left).toEqual(["dan@example.com", CAROL]);
  });

  it("are told of an occurrence that is cancelled", async () => {
    const { change, fake } = await seriesAtMicrosoft({}, { attendees: [guest(BOB)] });
    await change(series({ skipped: ["2027-03-03"] }, { attendees: [guest(BOB)] }), ["2027-03-03"]);
    expect(fake.outbox).toMatchObject([{ to: BOB, kind: "cancellation", occurrence: "2027-03-03" }]);
  });
});
