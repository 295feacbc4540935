import type { Client } from "@microsoft/microsoft-graph-client";
import type { Event } from "@microsoft/microsoft-graph-types";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CalendarState } from "../../fakes/microsoft/calendar-state";
import type { MicrosoftFake } from "../../fakes/microsoft/microsoft";
import { adaOfMicrosoft, everyPage, failure, type Listed, meeting, weekly } from "./microsoft-client";

let microsoft: MicrosoftFake;
let api: Client;
let state: CalendarState;

beforeEach(async () => {
  ({ microsoft, api, state } = await adaOfMicrosoft());
});
afterEach(() => microsoft.close());

const at = (day: string): Event => ({
  subject: day,
  start: { dateTime: `${day}T09:00:00`, timeZone: "UTC" },
  end: { dateTime: `${day}T10:00:00`, timeZone: "UTC" },
});
const march = "startDateTime=2027-03-01T00:00:00Z&endDateTime=2027-04-01T00:00:00Z";
const first = (prefer?: string) => everyPage(api, `/me/calendarView/delta?${march}`, prefer);
const next = ({ link }: { link: string }, prefer?: string) => everyPage(api, link, prefer);
const short = ({ rows }: { rows: Listed["value"] }) =>
  rows.map((row) => (row["@removed"] ? "removed" : (row.subject ?? row.start?.dateTime?.slice(0, 10))));

describe("the first round", () => {
  it("has every event of the span whole, and a link for the next round", async () => {
    state.putEvent(at("2027-03-02"));
    state.putEvent(at("2027-05-01"));
    const round = await first();
    expect(round.rows).toMatchObject([
      { subject: "2027-03-02", type: "singleInstance", body: { contentType: "html" }, attendees: [] },
    ]);
    expect(round.link).toMatch(/\/v1\.0\/me\/calendarView\/delta\?\$deltatoken=\S+$/);
    expect((await next(round)).rows).toEqual([]);
  });

  it("has nothing of what was deleted before", async () => {
    state.deleteEvent(state.putEvent(at("2027-03-02")));
    expect((await first()).rows).toEqual([]);
  });

  it("has occurrences as bare as Graph's, with their series", async () => {
    const id = state.putEvent(weekly());
    const { rows } = await first();
    expect(rows.map(({ type }) => type)).toEqual(["seriesMaster", ...Array(5).fill("occurrence")]);
    expect(rows[1]).toEqual({
      "@odata.type": "#microsoft.graph.event",
      "@odata.etag": expect.any(String),
      id: state.occurrenceId(id, "2027-03-01"),
      seriesMasterId: id,
      type: "occurrence",
      start: { dateTime: "2027-03-01T08:00:00.0000000", timeZone: "UTC" },
      end: { dateTime: "2027-03-01T09:00:00.0000000", timeZone: "UTC" },
    });
  });

  it("lists a series that began before the span at its first date, or no series at all if the fake is told so", async () => {
    state.putEvent({
      ...weekly(),
      start: { dateTime: "2020-03-02T09:00:00", timeZone: "UTC" },
      end: { dateTime: "2020-03-02T10:00:00", timeZone: "UTC" },
      recurrence: { pattern: weekly().recurrence?.pattern ?? null, range: { type: "noEnd", startDate: "2020-03-02" } },
    });
    expect((await first()).rows[0]).toMatchObject({
      type: "seriesMaster",
      start: { dateTime: "2020-03-02T09:00:00.0000000" },
    });
    microsoft.knobs.tracksMasters = false;
    expect((await first()).rows.map(({ type }) => type)).toEqual(Array(5).fill("occurrence"));
  });

  it("has exceptions whole, where they were moved to, and no deleted occurrences", async () => {
    const id = state.putEvent(weekly());
    state.changeEvent(state.occurrenceId(id, "2027-03-08"), { subject: "Special", ...at("2027-03-10") });
    state.deleteOccurrence(id, "2027-03-15");
    const { rows } = await first();
    expect(rows.slice(1).map((row) => [row.type, row.start?.dateTime?.slice(0, 10)])).toEqual(
      [
        ["occurrence", "2027-03-01"],
        ["occurrence", "2027-03-22"],
        ["occurrence", "2027-03-29"],
        ["exception", "2027-03-10"],
      ].sort(([, one = ""], [, other = ""]) => one.localeCompare(other)),
    );
  });

  it("has immutable ids, another zone and text if the client prefers", async () => {
    state.putEvent({ ...at("2027-03-02"), body: { contentType: "html", content: "<b>Hi</b>" } });
    const { rows } = await first(
      'IdType="ImmutableId", outlook.timezone="Tokyo Standard Time", outlook.body-content-type="text"',
    );
    expect(rows[0]).toMatchObject({
      id: expect.stringMatching(/^AAkA/),
      start: { dateTime: "2027-03-02T18:00:00.0000000" },
      body: { content: "Hi\r\n" },
    });
  });

  it("is of the calendar of the path alone", async () => {
    const id = microsoft.account("ada@example.com").addCalendar({ name: "Team" });
    microsoft.calendar(id).putEvent(at("2027-03-03"));
    state.putEvent(at("2027-03-02"));
    expect(short(await everyPage(api, `/me/calendars/${id}/calendarView/delta?${march}`))).toEqual(["2027-03-03"]);
    expect(short(await first())).toEqual(["2027-03-02"]);
  });

  it.each(["$select=subject", "$filter=subject eq 'x'", "$expand=extensions", "$orderby=subject", "$search=x"])(
    "takes no %s",
    async (option) => {
      expect(await failure(api.api(`/me/calendarView/delta?${march}&${option}`).get())).toMatchObject({ status: 400 });
    },
  );

  it("needs a span, in either case of its names", async () => {
    expect(await failure(api.api("/me/calendarView/delta").get())).toMatchObject({ status: 400 });
    state.putEvent(at("2027-03-02"));
    const { rows } = await everyPage(api, "/me/calendarView/delta?startdatetime=2027-03-01&enddatetime=2027-04-01");
    expect(rows).toHaveLength(1);
  });

  it("confirms odata.track-changes", async () => {
    const headers = {
      authorization: `Bearer ${microsoft.accessToken("ada@example.com")}`,
      prefer: "odata.track-changes",
    };
    const response = await fetch(`${microsoft.origin}/v1.0/me/calendarView/delta?${march}`, { headers });
    expect(response.headers.get("preference-applied")).toBe("odata.track-changes");
  });
});

describe("the next round", () => {
  it("has what was added, changed and deleted", async () => {
    const [gone, changed] = [state.putEvent(at("2027-03-02")), state.putEvent(at("2027-03-03"))];
    const round = await first();
    state.deleteEvent(gone);
    state.changeEvent(changed, { subject: "Changed" });
    state.putEvent(at("2027-03-04"));
    const { rows } = await next(round);
    expect(short({ rows })).toEqual(["Changed", "2027-03-04", "removed"]);
    expect(rows.at(-1)).toEqual({
      "@odata.type": "#microsoft.graph.event",
      id: gone,
      "@removed": { reason: "deleted" },
    });
  });

  it("can be asked for again with the same link", async () => {
    const round = await first();
    state.putEvent(at("2027-03-02"));
    expect(short(await next(round))).toEqual(["2027-03-02"]);
    expect(short(await next(round))).toEqual(["2027-03-02"]);
  });

  it("says removed of what leaves the span, and of what changes outside it", async () => {
    const moved = state.putEvent(at("2027-03-02"));
    const round = await first();
    state.changeEvent(moved, at("2027-05-02"));
    state.putEvent(at("2027-06-01"));
    expect(short(await next(round))).toEqual(["removed", "removed"]);
  });

  it("has what enters the span", async () => {
    const id = state.putEvent(at("2027-05-02"));
    const round = await first();
    state.changeEvent(id, at("2027-03-02"));
    expect(short(await next(round))).toEqual(["2027-03-02"]);
  });

  it("says removed of an event that moves to another calendar, by its old id, and the other one has it by its new", async () => {
    const team = microsoft.account("ada@example.com").addCalendar({ name: "Team" });
    const id = state.putEvent(at("2027-03-02"));
    const round = await first();
    const other = await everyPage(api, `/me/calendars/${team}/calendarView/delta?${march}`);
    const moved = state.moveEvent(id, team);
    expect((await next(round)).rows).toMatchObject([{ id, "@removed": { reason: "deleted" } }]);
    expect((await next(other)).rows).toMatchObject([{ id: moved, subject: "2027-03-02" }]);
  });

  it("has a whole series again when anything of it changes", async () => {
    const id = state.putEvent(weekly());
    const round = await first();
    state.changeEvent(state.occurrenceId(id, "2027-03-08"), { subject: "Special" });
    expect((await next(round)).rows.map(({ type }) => type)).toEqual([
      "seriesMaster",
      "occurrence",
      "exception",
      "occurrence",
      "occurrence",
      "occurrence",
    ]);
  });

  it("gives no sign of a deleted occurrence but its absence", async () => {
    const id = state.putEvent(weekly());
    const round = await first();
    state.deleteOccurrence(id, "2027-03-08");
    const { rows } = await next(round);
    expect(rows.map((row) => row["@removed"])).toEqual(Array(5).fill(undefined));
    expect(rows.map(({ id: one }) => one)).not.toContain(state.occurrenceId(id, "2027-03-08"));
  });

  it("may not mention the series of a deleted occurrence at all", async () => {
    microsoft.knobs.deletedOccurrences = "silent";
    const id = state.putEvent(weekly());
    const round = await first();
    const before = await api.api(`/me/events/${id}`).get();
    state.deleteOccurrence(id, "2027-03-08");
    expect((await next(round)).rows).toEqual([]);
    const after = await api.api(`/me/events/${id}?$select=cancelledOccurrences`).get();
    expect(after["@odata.etag"]).not.toBe(before["@odata.etag"]);
    expect(after.cancelledOccurrences).toHaveLength(1);
  });

  it("names a deleted series alone, and none of its occurrences", async () => {
    const id = state.putEvent(weekly());
    const round = await first();
    state.deleteEvent(id);
    expect((await next(round)).rows).toEqual([
      { "@odata.type": "#microsoft.graph.event", id, "@removed": { reason: "deleted" } },
    ]);
  });

  it("has a single event that was a series, without a word of its occurrences", async () => {
    const id = state.putEvent(weekly());
    const round = await first();
    state.changeEvent(id, { recurrence: null });
    expect((await next(round)).rows).toMatchObject([{ id, type: "singleInstance" }]);
  });

  it("has changed events twice, first as they were, if the fake is told so", async () => {
    microsoft.knobs.duplicates = true;
    const id = state.putEvent(at("2027-03-02"));
    const round = await first();
    state.changeEvent(id, { subject: "Changed" });
    expect(short(await next(round))).toEqual(["2027-03-02", "Changed"]);
  });

  it("works with a link that was made for the other kind of ids", async () => {
    const round = await first();
    state.putEvent(at("2027-03-02"));
    expect((await next(round, 'IdType="ImmutableId"')).rows[0]?.id).toMatch(/^AAkA/);
  });
});

describe("the pages of a round", () => {
  const prefer = "odata.maxpagesize=2";

  it("are as long as the client prefers, and ten by default", async () => {
    for (let day = 1; day <= 12; day += 1) state.putEvent(at(`2027-03-${String(day).padStart(2, "0")}`));
    expect((await first(prefer)).rows).toHaveLength(12);
    expect(microsoft.requests).toHaveLength(6);
    microsoft.requests.length = 0;
    expect((await first()).rows).toHaveLength(12);
    expect(microsoft.requests).toHaveLength(2);
  });

  it("never split a series, unless the fake is told so", async () => {
    state.putEvent(weekly());
    state.putEvent(at("2027-03-02"));
    const page: Listed = await api.api(`/me/calendarView/delta?${march}`).header("Prefer", prefer).get();
    expect(page.value).toHaveLength(6);
    Object.assign(microsoft.knobs, { splitsSeries: true, pageSize: 1 });
    microsoft.requests.length = 0;
    expect((await first()).rows).toHaveLength(7);
    expect(microsoft.requests).toHaveLength(7);
  });

  it("may begin with an empty one", async () => {
    microsoft.knobs.emptyPages = true;
    state.putEvent(at("2027-03-02"));
    const page: Listed = await api.api(`/me/calendarView/delta?${march}`).get();
    expect(page.value).toEqual([]);
    expect(page["@odata.nextLink"]).toContain("$skiptoken=");
    const round = await first();
    expect(round.rows).toHaveLength(1);
    expect((await next(round)).rows).toEqual([]);
  });

  it.each(["deleted", "changed", "added"])("lose nothing of what is %s between two of them", async (what) => {
    microsoft.knobs.pageSize = 1;
    const ids = ["2027-03-02", "2027-03-03", "2027-03-04"].map((day) => state.putEvent(at(day)));
    const run = () => {
      if (what === "deleted") state.deleteEvent(ids[0] ?? "");
      if (what === "changed") state.changeEvent(ids[0] ?? "", { subject: "Changed" });
      if (what === "added") state.putEvent(at("2027-03-05"));
    };
    microsoft.faults.next({ path: /delta$/, query: { $skiptoken: /./ }, run });
    const round = await first();
    const later = await next(round);
    const known = new Map(round.rows.concat(later.rows).map((row) => [row.id, row["@removed"] ? null : row.subject]));
    const expected = {
      deleted: [null, "2027-03-03", "2027-03-04"],
      changed: ["Changed", "2027-03-03", "2027-03-04"],
      added: ["2027-03-02", "2027-03-03", "2027-03-04", "2027-03-05"],
    };
    expect([...known.values()].sort()).toEqual((expected[what as keyof typeof expected] ?? []).sort());
  });
});

describe("an expired token", () => {
  it.each(["SyncStateNotFound", "syncStateNotFound", "resyncRequired"] as const)(
    "is gone: %s, with the address to begin at",
    async (code) => {
      microsoft.knobs.goneCode = code;
      const round = await first();
      state.expireDeltaTokens();
      expect(await failure(api.api(round.link).get())).toEqual({ status: 410, code });
      const headers = { authorization: `Bearer ${microsoft.accessToken("ada@example.com")}` };
      const response = await fetch(round.link.replace("https:", "http:"), { headers });
      expect(response.headers.get("location")).toBe(`${microsoft.origin}/v1.0/me/calendarView/delta?$deltatoken=`);
    },
  );

  it("may be that of a page, and those that are made afterwards work", async () => {
    microsoft.knobs.pageSize = 1;
    state.putEvent(at("2027-03-02"));
    state.putEvent(at("2027-03-03"));
    microsoft.faults.next({ path: /delta$/, query: { $skiptoken: /./ }, run: () => state.expireDeltaTokens() });
    expect(await failure(first())).toMatchObject({ status: 410 });
    expect((await next(await first())).rows).toEqual([]);
  });

  it("is another thing than one that cannot be read, or that is of another calendar", async () => {
    const { link } = await first();
    expect(await failure(api.api("/me/calendarView/delta?$deltatoken=nonsense").get())).toMatchObject({ status: 400 });
    const id = microsoft.account("ada@example.com").addCalendar({ name: "Team" });
    const query = new URL(link).search;
    expect(await failure(api.api(`/me/calendars/${id}/calendarView/delta${query}`).get())).toMatchObject({
      status: 400,
    });
  });
});

it("an own write comes back in the next round like everybody's", async () => {
  const round = await first();
  const { id } = await api.api("/me/events").post(meeting());
  expect((await next(round)).rows).toMatchObject([{ id, subject: "Planning" }]);
});
