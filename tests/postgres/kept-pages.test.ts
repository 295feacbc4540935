import { beforeAll, describe, expect, it } from "vitest";
import { connect, db } from "@/server/db/client";
import { type Composed, runComposed } from "@/server/db/composed";
import { env } from "@/server/env";
import { eventPages } from "@/server/services/reads/events/event-pages.sql";
import { freeBusyPages } from "@/server/services/reads/free-busy/free-busy-pages.sql";
import { pageSamples } from "@/server/store/events/pages/samples";
import { isKeptPage, type PageRequest } from "@/server/store/events/pages/statement";
import { ownDatabase } from "../api/own-database";
import { openCalendar } from "../api/service";
import { addCalendars, storeProviderEvents } from "../fakes/stored-events";

ownDatabase();

/** PostgreSQL tries five plans for given values before it keeps one for any. */
const TRIES = 5;
const CALLS = 12;
const HOUR_MS = 3_600_000;
const START = Date.UTC(2025, 5, 1);

let accountId = "";

beforeAll(async () => {
  const account = await openCalendar();
  ({ accountId } = account);
  const calendars = [account.calendarId, ...(await addCalendars(account, 3))];
  await storeProviderEvents(
    Array.from({ length: 3_000 }, (_, i) => ({
      calendarId: calendars[i % calendars.length] ?? "",
      start: new Date(START + i * HOUR_MS).toISOString(),
      end: new Date(START + (i + 1) * HOUR_MS).toISOString(),
      eventId: i % 5 === 0 ? `own-${i}` : null,
    })),
  );
}, 300_000);

interface Kept {
  shapes: number;
  /** Those of which a plan for any values is used from the sixth call on. */
  kept: number;
}

/** On a connection that has prepared nothing before. */
async function keptOf<Row extends object>(
  pages: Composed<PageRequest, Row>,
  all: readonly PageRequest[],
): Promise<Kept | undefined> {
  const database = connect(env().DATABASE_URL, { max: 1 });
  try {
    for (const request of all) {
      for (let i = 0; i < CALLS; i++) await runComposed(database.query, pages, { ...request, accountId, rows: 301 });
    }
    const [counts] = await database.query<Kept>(
      `SELECT count(*)::int AS shapes, count(*) FILTER (WHERE custom_plans = $1 AND generic_plans > 0)::int AS kept
FROM pg_prepared_statements WHERE name LIKE 'shape %'`,
      [TRIES],
    );
    return counts;
  } finally {
    await database.close();
  }
}

describe.each([
  ["without statistics", async () => {}],
  ["with statistics", () => db().query("ANALYZE occurrences, events, calendar_days, calendars")],
])("pages %s", (_name, prepare) => {
  beforeAll(prepare);

  it("of events are planned once for each connection and shape", async () => {
    const samples = pageSamples("events");
    const found = await keptOf(eventPages, samples.filter(isKeptPage));
    expect(found?.kept).toBe(found?.shapes);
    expect(found?.shapes).toBeGreaterThan(10);
    expect(
      await keptOf(
        eventPages,
        samples.filter((one) => !isKeptPage(one)),
      ),
    ).toEqual({ shapes: 0, kept: 0 });
  });

  it("of what changed are among them, with what was deleted too, as an application asks after each notification", async () => {
    const changes = pageSamples("events").filter(
      ({ frame, position }) => frame.modifiedSince !== null && frame.includeDeleted && position === null,
    );
    const found = await keptOf(eventPages, changes);
    expect(found?.kept).toBe(found?.shapes);
    expect(found?.shapes).toBeGreaterThan(1);
  });

  it("of free/busy are planned once for each connection and shape", async () => {
    const found = await keptOf(freeBusyPages, pageSamples("free_busy").filter(isKeptPage));
    expect(found?.kept).toBe(found?.shapes);
    expect(found?.shapes).toBeGreaterThan(10);
  });
});
