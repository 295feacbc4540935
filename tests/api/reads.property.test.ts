import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { eventsRead } from "@/server/services/reads/events/list";
import { freeBusyRead } from "@/server/services/reads/free-busy/list";
import type { ReadDefinition } from "@/server/services/reads/page";
import { Refusal } from "@/server/services/refusal";
import { addAccount } from "../fakes/stored";
import {
  addCalendars,
  deleteOccurrence,
  keptCounts,
  moveOccurrence,
  storeProviderEvents,
} from "../fakes/stored-events";
import { following, pageReader } from "./page-reader";
import { type ReadCase, readCase, withTag } from "./read-arbitraries";
import { type ModelEvent, type ModelQuery, modelRead, modelText } from "./read-model";
import { allPages, opened, rowsOf } from "./read-under-test";

const reads: Record<ModelQuery["endpoint"], Omit<ReadDefinition, "pageSize">> = {
  events: eventsRead,
  free_busy: freeBusyRead,
};

/** An account with the calendars and events of a case. */
async function stored({ calendars, events }: ReadCase): Promise<string> {
  const accountId = await addAccount(calendars);
  await storeProviderEvents(events);
  return accountId;
}

/** How many calendars the statements are told of: of many, the days that fill a page are looked up first. */
const told = [1, 50, 50];

interface Paged {
  uids: string[][];
  pages: { current: number; total: number }[];
}

/** Follows a read through the service with pages of a size of our own; null where it is refused. */
async function followed(
  accountId: string,
  query: ModelQuery,
  given: { now: number; pageSize: number; calendarCount?: number; between?: () => Promise<unknown> },
): Promise<Paged | null> {
  const { now, pageSize, calendarCount = 1, between } = given;
  const { page } = pageReader({ ...reads[query.endpoint], pageSize }, accountId, { now, calendarCount });
  const found: Paged = { uids: [], pages: [] };
  try {
    for (let raw = sent(query); ; ) {
      const { rows, pages } = await page(raw);
      found.uids.push(rows.map(({ uid }) => uid));
      found.pages.push({ current: pages.current, total: pages.total });
      if (!pages.next_page) return found;
      raw = following(pages);
      await between?.();
    }
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function sent(query: ModelQuery): object {
  const pairs = Object.entries(query).filter(([name, value]) => name !== "endpoint" && value !== undefined);
  return Object.fromEntries(pairs.map(([name, value]) => [name, typeof value === "boolean" ? String(value) : value]));
}

/** What the model says, cut into pages. */
function expectedPages(events: readonly ModelEvent[], query: ModelQuery, now: number, pageSize: number): Paged | null {
  const uids = modelRead(events, query, now);
  if (!uids) return null;
  const total = Math.max(1, Math.ceil(uids.length / pageSize));
  const starts = Array.from({ length: total }, (_, i) => i);
  return {
    uids: starts.map((i) => uids.slice(i * pageSize, (i + 1) * pageSize)),
    pages: starts.map((i) => ({ current: i + 1, total })),
  };
}

const tag = () => randomBytes(6).toString("hex");

describe("for random events and random windows the reads equal a naive model", () => {
  const equalsModel = async (given: ReadCase, pageSize: number) => {
    const placed = withTag(given, tag());
    const { now } = placed;
    const accountId = await stored(placed);
    for (const query of placed.queries) {
      const expected = expectedPages(placed.events, query, now, pageSize);
      for (const calendarCount of told)
        expect(await followed(accountId, query, { now, pageSize, calendarCount })).toEqual(expected);
    }
  };

  it("in order, totals and pages", async () => {
    const cases = readCase({ events: { maxLength: 60, size: "max" }, queries: 8 });
    await fc.assert(fc.asyncProperty(cases, fc.integer({ min: 1, max: 9 }), equalsModel), {
      numRuns: 80,
      endOnFailure: true,
    });
  });

  it("in order, totals and pages when so much changed that it is read another way", async () => {
    const cases = readCase({ events: { minLength: 250, maxLength: 300 }, queries: 4 });
    const all = { include_managed: true, only_managed: false, include_deleted: true, calendar_ids: undefined };
    const widened = (query: ModelQuery) => (query.last_modified ? { ...query, ...all } : query);
    await fc.assert(
      fc.asyncProperty(cases, (given) => equalsModel({ ...given, queries: given.queries.map(widened) }, 3)),
      { numRuns: 8, endOnFailure: true },
    );
  });

  it.each([
    { endpoint: "events", pageSize: 300, list: "events", events: { minLength: 650, maxLength: 700 } },
    { endpoint: "free_busy", pageSize: 1000, list: "free_busy", events: { minLength: 2600, maxLength: 2700 } },
  ] as const)(
    "over HTTP, $endpoint in pages of $pageSize, with their times",
    async ({ endpoint, pageSize, events }) => {
      await fc.assert(
        fc.asyncProperty(readCase({ events, queries: 1 }), fc.boolean(), async (given, localized) => {
          const account = await opened(given.now);
          const [second = "", third = ""] = await addCalendars(account, 2);
          const calendars = [account.calendarId, second, third];
          const placed = withTag(given, tag()).events.map((event) => ({
            ...event,
            state: "live" as const,
            calendarId: calendars[Number(event.calendarId[4])] ?? "",
          }));
          await storeProviderEvents(placed);
          const tzid = given.queries[0]?.tzid ?? "Etc/UTC";
          const query = { tzid, include_managed: true };
          const answers = await allPages(account, `/v1/${endpoint}`, {
            ...{ tzid, include_managed: "true", localized_times: String(localized) },
          });
          const expected = expectedPages(placed, { endpoint, ...query }, given.now, pageSize);
          expect(answers.map(({ json: { pages } }) => ({ current: pages.current, total: pages.total }))).toEqual(
            expected?.pages,
          );
          const byUid = new Map(placed.map((event) => [event.uid, event]));
          expect(answers.map((answer) => rowsOf(answer).map((row) => [row.event_uid, row.start, row.end]))).toEqual(
            expected?.uids.map((page) =>
              page.map((uid) => {
                const { start = "", end = "" } = byUid.get(uid) ?? {};
                return [uid, modelText(start, { tzid, localized }), modelText(end, { tzid, localized })];
              }),
            ),
          );
        }),
        { numRuns: 2, endOnFailure: true },
      );
    },
  );
});

describe("following next_page while others write", () => {
  it("never repeats or skips an event that did not change", async () => {
    const rewritten = fc.array(fc.record({ pick: fc.nat(), kind: fc.constantFrom("move", "delete", "insert") }), {
      maxLength: 6,
    });
    const writes = fc.array(rewritten, { minLength: 12, maxLength: 12 });
    const sizes = { events: { minLength: 20, maxLength: 60 }, queries: 1 };
    await fc.assert(
      fc.asyncProperty(readCase(sizes), readCase(sizes), writes, async (given, other, batches) => {
        const name = tag();
        const placed = withTag(given, name);
        const spare = withTag({ ...other, calendars: given.calendars }, `${name}x`).events;
        const accountId = await stored(placed);
        const touched = new Set<string>();
        const pageSize = 7;
        const between = async () => {
          for (const { pick, kind } of batches.shift() ?? []) await rewrite(placed, { pick, kind, spare, touched });
        };
        const [query] = placed.queries;
        if (!query) return;
        const found = await followed(accountId, query, { now: placed.now, pageSize, between });
        const expected = modelRead(placed.events, query, placed.now);
        const unchanged = (uids?: string[] | null) =>
          uids?.filter((uid) => isOriginal(placed, uid) && !touched.has(uid));
        expect(unchanged(found?.uids.flat())).toEqual(unchanged(expected));
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });
});

const isOriginal = ({ events }: ReadCase, uid: string) => events.some((event) => event.uid === uid);

interface Rewrite {
  pick: number;
  kind: "move" | "delete" | "insert";
  /** What is inserted, and where events are moved to. */
  spare: ModelEvent[];
  touched: Set<string>;
}

async function rewrite(placed: ReadCase, { pick, kind, spare, touched }: Rewrite): Promise<void> {
  const at = spare[pick % spare.length];
  const event = placed.events[pick % placed.events.length];
  if (!at || !event) return;
  if (kind === "insert") {
    const calendarId = placed.calendars[pick % placed.calendars.length] ?? "";
    const uid = newId("evt");
    await storeProviderEvents([{ ...at, uid, eventId: at.eventId && uid, calendarId }]);
    return;
  }
  touched.add(event.uid);
  await (kind === "delete" ? deleteOccurrence(event.uid) : moveOccurrence(event.uid, at));
}

describe("calendar_days and calendar_months", () => {
  const statements = {
    insert: (seed: number, calendars: string[]) => insertMany(seed, calendars),
    move: (seed: number, calendars: string[]) =>
      some(
        seed,
        calendars,
        "SET starts = starts + interval '1 hour' * $3::int, ends = ends + interval '1 hour' * $3::int",
      ),
    reply: (seed: number, calendars: string[]) => some(seed, calendars, "SET state = abs($3::int) % 3"),
    kind: (seed: number, calendars: string[]) =>
      some(seed, calendars, "SET all_day = NOT all_day, managed = $3::int % 2 = 0"),
    untouched: (seed: number, calendars: string[]) =>
      some(seed, calendars, "SET updated_at = now() + interval '1 hour' * $3::int"),
    remove: (seed: number, calendars: string[]) =>
      db().query(
        "DELETE FROM events WHERE id IN (SELECT master_id FROM occurrences WHERE calendar_id = ANY($1) AND abs(hashtext(uid)) % 3 = $2::int % 3)",
        [calendars, seed],
      ),
  };

  async function some(seed: number, calendars: string[], set: string) {
    await db().query(`UPDATE occurrences ${set} WHERE calendar_id = ANY($1) AND abs(hashtext(uid)) % 4 = $2::int % 4`, [
      calendars,
      seed,
      (seed % 200) - 100,
    ]);
  }

  async function insertMany(seed: number, calendars: string[]) {
    const start = Date.parse("2025-12-01T00:00:00Z") + (seed % 1000) * 3_600_000;
    await storeProviderEvents(
      Array.from({ length: seed % 12 }, (_, i) => {
        const at = new Date(start + i * (seed % 5) * 7_200_000).toISOString();
        const state = (["live", "declined", "deleted"] as const)[(seed + i) % 3];
        return { calendarId: calendars[(seed + i) % calendars.length] ?? "", start: at, end: at, state };
      }),
    );
  }

  it("always holds what a count of the occurrences gives", async () => {
    const kinds = Object.keys(statements) as (keyof typeof statements)[];
    const step = fc.record({ kind: fc.constantFrom("insert" as const, ...kinds), seed: fc.nat({ max: 10_000 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const { calendars, ...rest } = withTag(
          { now: 0, calendars: ["cal_0", "cal_1"], events: [], queries: [] },
          tag(),
        );
        await stored({ calendars, ...rest });
        for (const { kind, seed } of steps) await statements[kind](seed, calendars);
        const { kept, counted } = await keptCounts(calendars);
        expect(kept).toEqual(counted);
        await db().query("DELETE FROM calendars WHERE id = ANY($1)", [calendars]);
        for (const table of ["calendar_days", "calendar_months"]) {
          expect(await db().query(`SELECT 1 FROM ${table} WHERE calendar_id = ANY($1)`, [calendars])).toEqual([]);
        }
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });
});
