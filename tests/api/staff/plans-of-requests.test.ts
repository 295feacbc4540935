import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { REQUESTS_KEPT_DAYS } from "@/server/domain/retention";
import type { Day } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { MOST_COUNTED } from "@/server/services/staff/lists/paging";
import type { VisibleApplications } from "@/server/services/staff/procedure/scope";
import type { RequestFilters } from "@/server/services/staff/requests/filters";
import { searchedConditions } from "@/server/services/staff/requests/owners";
import { countRequests, findRequests, rankRequests } from "@/server/services/staff/requests/search";
import { ensurePartition } from "@/server/store/request-logs/partitions";
import { ownDatabase } from "../own-database";
import { rowsReadBy } from "./rows-read";

/** The log that staff and developers read: 40,000 requests of 20 large applications in ten days, and a few of five small ones, the oldest. */
const LARGE = 20;
const OF_LARGE = 2_000;
const OF_SMALL = 40;
const DAYS = 10;
const PAGE = 51;
/** So many of the newest are looked through first. */
const WALKED = 2_000;
/** A partition that holds few is read whole. */
const FEW = 1_000;

ownDatabase();

/** A noon: how the requests are spread over the partitions of days is the same in each run. */
const now = (dayOf(Date.now() as Instant) * 86_400_000 + 43_200_000) as Instant;

beforeAll(async () => {
  const run = db().query;
  const today = dayOf(now);
  for (let back = 0; back <= DAYS; back += 1) {
    await ensurePartition(db(), (today - back + REQUESTS_KEPT_DAYS.standard) as Day);
  }
  await run(`INSERT INTO applications (id, client_id, name) SELECT id, id, id FROM (SELECT 'large_' || n AS id FROM generate_series(1, ${LARGE}) n
UNION ALL SELECT 'small_' || n FROM generate_series(1, 5) n) a`);
  await run(`INSERT INTO accounts (id, application_id, kind, name, email) SELECT p.id || '_' || n, p.id, 'account', '', n || '@' || p.id || '.io'
FROM applications p, generate_series(1, 20) n`);
  // One in fifty is refused.
  await run(
    `INSERT INTO request_logs (id, expires_on, request_id, at, method, path, endpoint, status, duration_ms, application_id, account_id, error_keys,
  detail)
SELECT gen_random_uuid(), (at AT TIME ZONE 'UTC')::date + ${REQUESTS_KEPT_DAYS.standard}, 'req_' || md5(id || n), at, 'GET', '/v1/events', '/v1/events',
  CASE WHEN n % 50 = 0 THEN 422 ELSE 200 END, 3, id, id || '_' || (1 + n % 20), CASE WHEN n % 50 = 0 THEN ARRAY['errors.required'] ELSE '{}' END, '{}'
FROM (SELECT p.id, n, $1::timestamptz - CASE WHEN p.id ~ 'small' THEN interval '${DAYS - 1} days' ELSE '0' END
    - n * interval '${DAYS - 1} days' / ${OF_LARGE} AS at
  FROM applications p CROSS JOIN LATERAL generate_series(1, CASE WHEN p.id ~ 'small' THEN ${OF_SMALL} ELSE ${OF_LARGE} END) n) r`,
    [new Date(now)],
  );
}, 300_000);

async function found(within: VisibleApplications, filters: RequestFilters) {
  let rows = 0;
  const read = await rowsReadBy(async (query) => {
    const conditions = await searchedConditions(query, filters, within);
    if (conditions !== null) rows = (await findRequests(query, { conditions, now }, PAGE)).length;
  });
  const counted = await rowsReadBy(async (query) => {
    const conditions = await searchedConditions(query, filters, within);
    if (conditions !== null) await countRequests(query, { conditions, now });
  });
  return { rows, read, counted };
}

const ofSmall = { rows: PAGE, own: 3 * OF_SMALL, errors: 0 };
const scopes: [string, VisibleApplications, { rows: number; own: number; errors: number }][] = [
  ["one small application", ["small_1"], { ...ofSmall, rows: OF_SMALL, own: OF_SMALL }],
  ["several small applications", ["small_1", "small_2", "small_3"], ofSmall],
  [
    "a large one and a small one",
    ["large_7", "small_2"],
    { rows: PAGE, own: OF_LARGE + OF_SMALL, errors: OF_LARGE / 50 },
  ],
];

const statistics: [string, () => Promise<unknown>][] = [
  ["without statistics, as the embedded database has none", async () => {}],
  ["with statistics", () => db().query("ANALYZE")],
];

describe.each(statistics)("%s,", (_name, prepare) => {
  beforeAll(prepare);

  describe.each(scopes)("the requests of a developer of %s", (_who, within, { rows, own, errors }) => {
    it("are found, the newest first, and counted without reading all", async () => {
      const newest = await found(within, {});
      expect(newest.rows).toBe(rows);
      expect(newest.read).toBeLessThan(WALKED + 2 * own + FEW);
      expect(newest.counted).toBeLessThan(2 * own + FEW);
    });

    it("are narrowed to errors without reading all", async () => {
      const refused = await found(within, { errorKey: "errors.required" });
      expect(refused.rows).toBe(errors);
      expect(refused.read).toBeLessThan(WALKED + 2 * own + FEW);
      expect(refused.counted).toBeLessThan(2 * own + FEW);
    });

    it("are found, the oldest first, without reading all", async () => {
      const oldest = async (filters: RequestFilters) =>
        await rowsReadBy(async (query) => {
          const conditions = await searchedConditions(query, filters, within);
          if (conditions !== null) await findRequests(query, { conditions, now, isOldestFirst: true }, PAGE);
        });
      expect(await oldest({})).toBeLessThan(WALKED + 2 * own + FEW);
      expect(await oldest({ errorKey: "errors.required" })).toBeLessThan(WALKED + 2 * own + FEW);
    });

    it("are sorted by how long they took, reading those that match and no others", async () => {
      const ranked = async (filters: RequestFilters) =>
        await rowsReadBy(async (query) => {
          const conditions = await searchedConditions(query, filters, within);
          if (conditions === null) throw new Error("nothing can match");
          const some = await rankRequests(query, {
            search: { conditions, now },
            by: "slowest",
            after: undefined,
            limit: PAGE,
          });
          expect(some).not.toBeNull();
        });
      expect(await ranked({})).toBeLessThan(2 * own + FEW);
      expect(await ranked({ errorKey: "errors.required" })).toBeLessThan(2 * own + FEW);
    });

    it("are searched for an email without reading all", async () => {
      const [one = ""] = within ?? [];
      const searched = await found(within, { id: `7@${one}` });
      expect(searched.rows).toBeGreaterThan(0);
      expect(searched.read).toBeLessThan(2 * own + FEW);
    });
  });
});

it("no more requests are read to be sorted than are sorted at most", async () => {
  for (const filters of [{}, { method: ["GET"] }]) {
    const read = await rowsReadBy(async (query) => {
      const conditions = await searchedConditions(query, filters, null);
      if (conditions === null) throw new Error("nothing can match");
      const search = { conditions, now };
      expect(await rankRequests(query, { search, by: "status", after: undefined, limit: PAGE })).toBeNull();
    });
    expect(read).toBeLessThan(2 * MOST_COUNTED);
  }
});
