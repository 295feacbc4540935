import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { EventUid } from "@/server/domain/ids";
import type { Instant } from "@/server/domain/time/instant";
import { zone } from "@/server/domain/time/zone";
import { eventPages } from "@/server/services/reads/events/event-pages.sql";
import { freeBusyPages } from "@/server/services/reads/free-busy/free-busy-pages.sql";
import type { PageRequest } from "@/server/store/events/pages/statement";
import { literals, printed } from "./printed-statement";

const FOLDER = join(import.meta.dirname, "page-statements");
const tzid = "Europe/Berlin";
const berlin = zone(tzid);
if (!berlin) throw new Error("there is no such time zone");

/** A first page of the events of one calendar, with its total. */
const first: PageRequest = {
  accountId: "acc_1",
  endpoint: "events",
  frame: {
    ...{ from: Date.parse("2026-10-17T00:00:00Z") as Instant, to: Date.parse("2027-06-17T00:00:00Z") as Instant },
    ...{ tzid, localized: false, managed: "unmanaged", includeIds: false, includeDeleted: false },
    ...{ modifiedSince: null, calendars: null },
  },
  ...{ zone: berlin, position: null, calendarIds: null, calendarCount: 1, rows: 301 },
  assumed: { short: true, fits: true },
};
const at = Date.parse("2026-12-01T09:00:00Z") as Instant;
const position = { page: 1, total: 4, left: 900, at, uid: "evt_1" as EventUid };
const frame = { ...first.frame, modifiedSince: Date.parse("2026-11-28T08:00:00Z") * 1000 };

const pages = {
  "events-of-one-calendar": () => eventPages.compose(first, literals()),
  "events-of-fifty-calendars": () => eventPages.compose({ ...first, calendarCount: 50 }, literals()),
  "events-after-a-cursor": () => eventPages.compose({ ...first, position }, literals()),
  "events-with-last-modified": () => eventPages.compose({ ...first, frame }, literals()),
  "events-with-nothing-assumed": () =>
    eventPages.compose({ ...first, assumed: { short: false, fits: false } }, literals()),
  "free-busy-of-one-calendar": () => freeBusyPages.compose({ ...first, endpoint: "free_busy" }, literals()),
};

it.each(Object.entries(pages))(
  "the statement of a page is printed, and runs: %s (renew with RENEW=1 npx vitest run --config tests/vitest.config.ts --project api tests/api/page-statements.test.ts)",
  async (name, compose) => {
    const file = join(FOLDER, `${name}.sql`);
    const text = printed(compose());
    if (process.env.RENEW) writeFileSync(file, text);
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(text.replace(/\s/g, "")).toBe(`${compose().replace(/\s/g, "")};`);
    expect(await db().query(text)).toHaveLength(1);
  },
);
