import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { zone } from "@/server/domain/time/zone";
import { timeWriter } from "@/server/services/reads/times";
import { documentedEvents } from "./documented-event";
import { opened, rowsOf } from "./read-under-test";
import type { Opened } from "./service";
import { sendChange, write } from "./written-series";

/** Every event of the account as the read shows it equals what its columns say. Gives how many there are. */
async function expectAsStored(account: Opened, tzid = "Etc/UTC", localized = false): Promise<number> {
  const flags = { include_managed: "true", include_deleted: "true", localized_times: String(localized) };
  const shown = rowsOf(await account.get("/v1/events", { tzid, ...flags }));
  const found = zone(tzid);
  if (!found) throw new Error(`there is no zone ${tzid}`);
  const stored = await documentedEvents(account.calendarId, timeWriter(localized, found), "neutral");
  for (const event of shown) expect(event).toEqual(stored.get(event.event_uid));
  return shown.length;
}

beforeAll(() => {
  process.env.WIRE_NAMES = "neutral";
});

const DAY_MS = 86_400_000;
const FROM = Date.UTC(2025, 9, 12);

// PostgreSQL stores neither NUL nor half a surrogate pair: node-postgres sends U+FFFD for the latter.
const text = fc.string({ unit: "binary", maxLength: 40 }).map((value) => value.replaceAll("\0", "").toWellFormed());
const tricky = fc.oneof(
  text,
  fc.constantFrom('"', "\\", '\\","calendar_id":"', "\t\n\r\b\f\u001f\u007f", "\u2028😀", "</script>", ""),
);
const address = fc.constantFrom("ann@acme.io", "Ünï@x.example");
const status = fc.constantFrom("needs_action", "accepted", "declined", "tentative", "unknown");
const person = fc.record({ email: address, display_name: fc.option(tricky) });
const guests = fc.array(fc.record({ email: address, display_name: fc.option(tricky), status }), { maxLength: 3 });
const link = fc.oneof(
  fc.constant({ pending: true }),
  fc.record({ provider: fc.constantFrom("google_meet", "microsoft_teams", "skype", "other"), join_url: tricky }),
);
const content = {
  summary: tricky,
  description: tricky,
  location: fc.option(tricky),
  url: fc.option(tricky),
  participation_status: status,
  attendees: guests,
  transparency: fc.constantFrom("opaque", "transparent"),
  private: fc.boolean(),
  organizer: fc.option(person),
  status: fc.constantFrom("confirmed", "tentative"),
  conferencing: fc.option(link),
};
const occurrence = fc.record({
  hours: fc.nat(5_000),
  state: fc.constantFrom(0, 0, 1, 2),
  changes: fc.option(fc.record(content, { requiredKeys: [] })),
});
const event = fc.record({
  ...content,
  categories: fc.array(tricky, { maxLength: 3 }),
  event_id: fc.option(tricky),
  all_day: fc.boolean(),
  contentChanged: fc.option(fc.nat(1_000_000)),
  series: fc.option(
    fc.record({ rules: fc.constantFrom(null, [{ frequency: "daily", interval: 2 }]), hasFirst: fc.boolean() }),
  ),
  occurrences: fc.array(occurrence, { minLength: 1, maxLength: 4 }),
});
type GivenEvent = typeof event extends fc.Arbitrary<infer Value> ? Value : never;

/** A row of `events` and its rows of `occurrences`, as JSON for PostgreSQL to read. */
function stored(calendarId: string, given: GivenEvent, place: number) {
  const { series, occurrences, contentChanged, event_id, all_day, ...columns } = given;
  const id = newId("evt");
  const at = (hours: number) =>
    new Date(FROM + (all_day ? Math.floor(hours / 24) * DAY_MS : hours * 3_600_000)).toISOString();
  const own = event_id === null ? null : `${event_id}${place}`;
  const rows = (series ? occurrences : occurrences.slice(0, 1)).map(({ hours, state, changes }, i) => ({
    uid: newId("evt"),
    master_id: id,
    calendar_id: calendarId,
    event_id: own,
    day: series && new Date(FROM + i * DAY_MS).toISOString().slice(0, 10),
    first: i === 0,
    all_day,
    is_long: false,
    managed: own !== null,
    state,
    starts: at(hours),
    ends: at(hours + 24),
    free_busy: "busy",
    changes,
    updated_at: new Date(FROM + hours * 1_234_567).toISOString(),
  }));
  const master = {
    ...columns,
    id,
    calendar_id: calendarId,
    event_id: own,
    all_day,
    starts: at(0),
    ends: at(24),
    link_looks: 0,
    recurrence: series?.rules ? { rules: series.rules } : null,
    first_uid: series?.hasFirst ? (rows[0]?.uid ?? null) : null,
    created_at: new Date(FROM + place * 777_777).toISOString(),
    updated_at: new Date(FROM).toISOString(),
    content_changed_at: contentChanged === null ? null : new Date(FROM + contentChanged * 1_000).toISOString(),
  };
  return { master, rows };
}

async function store(calendarId: string, events: readonly GivenEvent[]): Promise<void> {
  const all = events.map((one, place) => stored(calendarId, one, place));
  await db().query("INSERT INTO events SELECT * FROM jsonb_populate_recordset(NULL::events, $1::jsonb)", [
    JSON.stringify(all.map(({ master }) => master)),
  ]);
  await db().query("INSERT INTO occurrences SELECT * FROM jsonb_populate_recordset(NULL::occurrences, $1::jsonb)", [
    JSON.stringify(all.flatMap(({ rows }) => rows)),
  ]);
}

/** As rows are that were written before there was anything rendered. */
function forget(calendarId: string) {
  return db().query("UPDATE events SET rendered = NULL WHERE calendar_id = $1", [calendarId]);
}

describe("GET /v1/events shows of any event what its columns say", () => {
  it("from what was rendered when it was written, or is rendered by the read", async () => {
    const account = await opened();
    const zones = fc.constantFrom("Etc/UTC", "Europe/Berlin", "Asia/Kathmandu");
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 6 }),
        zones,
        fc.boolean(),
        async (events, tzid, localized) => {
          await db().query("DELETE FROM events WHERE calendar_id = $1", [account.calendarId]);
          await store(account.calendarId, events);
          const count = await expectAsStored(account, tzid, localized);
          await forget(account.calendarId);
          expect(await expectAsStored(account, tzid, localized)).toBe(count);
        },
      ),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it("after each write of the application", async () => {
    const account = await opened();
    const times = { start: "2025-12-01T10:00:00Z", end: "2025-12-01T11:00:00Z", tzid: "Europe/Berlin" };
    const single = { event_id: 'a "name"\\', summary: "One", description: "", ...times };
    await account.write(single);
    await account.write({
      ...single,
      summary: "Two",
      location: { description: "\tRoom\n" },
      transparency: "transparent",
    });
    expect(await expectAsStored(account)).toBe(1);
    await account.write({ ...single, description: "Less", url: 'https://acme.io/?a="b"' });
    expect(await expectAsStored(account)).toBe(1);
    const series = { ...single, event_id: "s", recurrence: { rules: [{ frequency: "daily", count: 4 }] } };
    await write(account, series);
    expect(await expectAsStored(account)).toBe(5);
    await sendChange(account, {
      event_id: "s",
      occurrence_date: "2025-12-02",
      summary: 'Other "one"',
      location: { description: "" },
    });
    expect(await expectAsStored(account)).toBe(5);
    await write(account, { ...series, summary: "Renamed" });
    expect(await expectAsStored(account)).toBe(5);
    await account.remove(`/v1/calendars/${account.calendarId}/events`, { event_id: "s" });
    expect(await expectAsStored(account)).toBe(5);
  });
});

describe("what is rendered of an event", () => {
  it("follows every column that a response shows, whoever writes it", async () => {
    const account = await opened();
    await fc.assert(
      fc.asyncProperty(event, event, fc.subarray(Object.keys(content)), async (before, after, columns) => {
        await db().query("DELETE FROM events WHERE calendar_id = $1", [account.calendarId]);
        await store(account.calendarId, [before]);
        const names = [...columns, "categories", "event_id", "created_at"].join(", ");
        const { master } = stored(account.calendarId, after, 1);
        const [row] = await db().query<{ rendered: string; expected: string }>(
          `WITH g AS (SELECT * FROM jsonb_populate_record(NULL::events, $2::jsonb))
UPDATE events e SET (${names}) = (SELECT ${names} FROM g) WHERE calendar_id = $1 RETURNING rendered, rendered_event(e) AS expected`,
          [account.calendarId, JSON.stringify(master)],
        );
        expect(row?.rendered).toBe(row?.expected);
        expect(JSON.parse(`{${row?.rendered}}`)).toMatchObject({
          calendar_id: account.calendarId,
          categories: after.categories,
        });
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });
});
