import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { apiCaller } from "@/server/services/api";
import { authenticate } from "@/server/services/bearer";
import { continueAll } from "@/server/store/events/continue-series";
import { readerOfToken } from "@/server/store/grants/bearer";
import { storedCalendar } from "../fakes/stored";
import { storedOccurrences } from "../fakes/stored-events";
import { dayFromNow } from "./dates";
import { ownDatabase } from "./own-database";
import { type Opened, openCalendar } from "./service";

// The day's chore continues everybody's series.
ownDatabase();

const DAY_MS = 86_400_000;
const none = () => {};
const unlimited = {
  ...{ beforeSecret: none, rightSecret: none, wrongSecret: none },
  ...{ application: none, publicClient: none, registration: none },
};

async function daily(more: Record<string, unknown> = {}): Promise<Opened> {
  const opened = await openCalendar();
  const day = dayFromNow(1);
  await opened.write({
    event_id: "daily",
    summary: "Stand-up",
    start: `${day}T09:00:00Z`,
    end: `${day}T09:15:00Z`,
    tzid: "Europe/Berlin",
    recurrence: { rules: [{ frequency: "daily", ...more }] },
  });
  return opened;
}

/** The days that the events read gives `days` days from now, as the service layer answers it then. */
async function readLater(opened: Opened, days: number): Promise<string[]> {
  const now = Date.now() + days * DAY_MS;
  // The token would have expired by then; whom it stands for is looked up again, as each request does.
  const authorization = `Bearer ${opened.accessToken}`;
  const bearer = await authenticate(db(), readerOfToken, { authorization, now: Date.now() });
  const given = {
    names: "product" as const,
    baseUrl: "http://x",
    callbackOrigins: [],
    sandbox: { isOn: true, refusesWrites: false, holdsWrites: false },
    client: null,
    limits: unlimited,
  };
  const api = apiCaller({ db: db(), now, bearer, ...given });
  const from = new Date(now + 150 * DAY_MS).toISOString();
  const list = await api.events.list({ tzid: "Etc/UTC", only_managed: "true", from });
  const { events }: { events: { start: string }[] } = JSON.parse(list.take().join(""));
  return events.map(({ start }) => start.slice(0, 10));
}

function lastServed(days: number): string {
  return new Date(Date.now() + (days + 201) * DAY_MS).toISOString().slice(0, 10);
}

describe("a series without end", () => {
  it("reaches the far edge of the read window on the day it is written", async () => {
    const days = await readLater(await daily(), 0);
    expect(days.at(-1)).toSatisfy((day: string) => day >= dayFromNow(200));
    expect(days.length).toBeGreaterThanOrEqual(50);
  });

  it.each([20, 31, 45, 400])(
    "reaches it also %d days later, when nothing has continued it but the read",
    async (days) => {
      const opened = await daily();
      const read = await readLater(opened, days);
      expect(read).toHaveLength(new Set(read).size);
      expect([lastServed(days), lastServed(days - 1)]).toContain(read.at(-1));
      expect(read.length).toBeGreaterThanOrEqual(50);
      expect(await readLater(opened, days)).toEqual(read);
    },
  );

  it("is continued by the day's chore, which says of no occurrence that it was changed", async () => {
    const opened = await daily();
    const later = (Date.now() + 30 * DAY_MS) as Instant;
    expect(await continueAll(db(), later)).toBe(false);
    const updates = new Set((await storedOccurrences(opened.calendarId)).map(({ updatedAt }) => updatedAt));
    expect(updates.size).toBe(1);
    const { coveredUntil } = await storedCalendar(opened.calendarId);
    expect(coveredUntil?.getTime()).toBeGreaterThan(later + 230 * DAY_MS);
  });
});

it("a series that ends needs no continuing", async () => {
  const opened = await daily({ count: 5 });
  expect(await storedCalendar(opened.calendarId)).toMatchObject({ coveredUntil: null });
});
