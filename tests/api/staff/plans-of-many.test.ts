import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { binding, runComposed } from "@/server/db/composed";
import { alertKinds } from "@/server/domain/alerts/alerts";
import { type AccountSearch, accountCount, accountPage } from "@/server/services/staff/accounts/accounts.sql";
import { conditionsOf } from "@/server/services/staff/alerts/conditions";
import { narrow } from "@/server/services/staff/deliveries/narrow";
import { newestRows, oldestRows } from "@/server/services/staff/deliveries/newest";
import { deliveryPage } from "@/server/services/staff/deliveries/searches.sql";
import { endpointCount, endpointPage } from "@/server/services/staff/endpoints/endpoints.sql";
import type { EndpointSearch } from "@/server/services/staff/endpoints/narrow";
import { mailboxesNow } from "@/server/services/staff/overview/mailboxes";
import { troubledMailboxes } from "@/server/services/staff/overview/mailboxes.sql";
import type { VisibleApplications } from "@/server/services/staff/procedure/scope";
import { readProviderHealth } from "@/server/services/staff/providers/health";
import { MOST_COUNTED } from "@/server/services/staff/providers/health.sql";
import { lastHours } from "@/server/store/deliveries/days";
import { ownDatabase } from "../own-database";
import { rowsInArrays, rowsReadBy } from "./rows-read";

/** What staff and developers read, among 30,000 mailboxes of 20 large applications, the newest, and of 5 small ones, the oldest. */
const LARGE = 20;
const OF_LARGE = 1_500;
const OF_SMALL = 40;
/** Of each hundred of a large application's mailboxes, one is disconnected, one fails, one is late, one has an endpoint that fails, and one a delivery that failed. */
const TROUBLED = (LARGE * OF_LARGE) / 100;
const PAGE = 51;
const measured = lastHours(Date.now(), 24);
/** Of fewer than those of one application with one trouble. */
const SHORT_PAGE = 5;

ownDatabase();

beforeAll(async () => {
  const run = db().query;
  await run(`INSERT INTO applications (id, client_id, name) SELECT id, id, id FROM (SELECT 'large_' || n AS id FROM generate_series(1, ${LARGE}) n
UNION ALL SELECT 'small_' || n FROM generate_series(1, 5) n) a`);
  await run(`INSERT INTO accounts (id, application_id, kind, name, email, created_at)
SELECT p.id || '_' || n, p.id, 'account', '', n || '@acme.io', now() - n * interval '1 minute' - CASE WHEN p.id ~ 'small' THEN interval '100 days' ELSE '0' END
FROM applications p CROSS JOIN LATERAL generate_series(1, CASE WHEN p.id ~ 'small' THEN ${OF_SMALL} ELSE ${OF_LARGE} END) n`);
  const isNth = (nth: number) => `(id ~ 'large' AND substring(id from '[0-9]+$')::int % 100 = ${nth})`;
  await run(`INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, connected, credential, initial_sync_required, disconnected_at)
SELECT id, id, application_id, 'google', 'google', id, email, NOT ${isNth(1)}, 'x', false, CASE WHEN ${isNth(1)} THEN now() END FROM accounts`);
  const isSync = (nth: number) => isNth(nth).replaceAll("id ", "profile_id ").replaceAll("(id", "(profile_id");
  await run(`UPDATE profile_syncs SET last_sync_at = now(), sync_due_at = now() + CASE WHEN ${isSync(3)} THEN interval '-1 hour' ELSE '1 hour' END,
  sync_failures = CASE WHEN ${isSync(2)} THEN 4 ELSE 0 END, sync_error = CASE WHEN ${isSync(2)} THEN 'down' END`);
  await run(`INSERT INTO channels (id, account_id, callback_url, calendar_ids, sealed_secret, created_at, failing)
SELECT id, id, 'https://hooks.acme.io/' || id, '{}', '', created_at, ${isNth(4)} FROM accounts`);
  await run(`INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, state, created_at, finished_at)
SELECT id, id, id, application_id, 'change', '{}', 'hooks.acme.io', (CASE WHEN ${isNth(5)} THEN 'failed' ELSE 'delivered' END)::delivery_state, created_at,
  CASE WHEN ${isNth(5)} THEN now() ELSE created_at END FROM accounts`);
  await run(`INSERT INTO request_counts (minute, application_id, requests, client_errors, server_errors, throttled)
SELECT date_trunc('minute', now()) - n * interval '1 minute', id, 100, 60, 10, 0 FROM applications, generate_series(0, 999) n`);
  await run(`INSERT INTO attempts (delivery_id, channel_id, number, started_at, duration_ms, status)
SELECT id, id, 1, now() - random() * interval '30 days', 20, 200 FROM accounts`);
}, 300_000);

const scopes: [string, VisibleApplications, number][] = [
  ["staff", null, 0],
  ["a developer of one small application", ["small_1"], OF_SMALL],
  ["a developer of several small ones", ["small_1", "small_2", "small_3"], 3 * OF_SMALL],
  ["a developer of a large one and a small one", ["large_7", "small_2"], OF_LARGE + OF_SMALL],
];

const statistics: [string, () => Promise<unknown>][] = [
  ["without statistics, as the embedded database has none", async () => {}],
  ["with statistics", () => db().query("ANALYZE")],
];

describe.each(statistics)("%s,", (_name, prepare) => {
  beforeAll(prepare);

  it.each(alertKinds)("the condition %s reads what is wrong, and not all of it", async (kind) => {
    let found = 0;
    const read = await rowsReadBy(async (query) => {
      found = (await conditionsOf[kind](query, Date.now()))({ scope: "staff" }).length;
    });
    expect(found).toBeGreaterThan(0);
    expect(read).toBeLessThan(5 * TROUBLED);
  });

  describe.each(scopes)("for %s", (_who, within, own) => {
    it("the overview reads the mailboxes that are in trouble, and not all", async () => {
      let found = 0;
      const read = await rowsReadBy(async (query) => {
        const { disconnected, failing, late } = await mailboxesNow(query, Date.now(), within);
        found = disconnected + failing + late;
      });
      const large = within === null ? LARGE : within.filter((id) => id.startsWith("large")).length;
      expect(found).toBe((3 * large * OF_LARGE) / 100);
      expect(read).toBeLessThan(15 * TROUBLED + own);
    });

    it("the overview puts those of its applications alone into an array", async () => {
      const large = within === null ? LARGE : within.filter((id) => id.startsWith("large")).length;
      const rows = await rowsInArrays(troubledMailboxes.text, [new Date(), within]);
      expect(rows).toBe((2 * large * OF_LARGE) / 100);
    });

    const scope = within === null ? {} : { within };
    const searches: [string, AccountSearch][] = [
      ["newest", scope],
      ["disconnected", { ...scope, disconnected: true }],
      ["failing", { ...scope, sync: ["failing"] }],
      ["late", { ...scope, sync: ["late"] }],
      ["failing or late", { ...scope, sync: ["failing", "late"] }],
    ];
    it.each(searches)("the %s accounts are found without reading all", async (kind, search) => {
      const rows = await rowsReadBy((query) => runComposed(query, accountPage, { ...search, limit: PAGE }));
      if (kind === "newest") expect(rows).toBeLessThan(5 * PAGE);
      expect(rows).toBeLessThan(10 * TROUBLED + 2 * own);
      if (within === null && kind === "newest") return;
      expect(await rowsReadBy((query) => runComposed(query, accountCount, search))).toBeLessThan(
        10 * TROUBLED + 2 * own,
      );
    });

    it.each(["oldest", "name"] as const)("the accounts are sorted by %s without reading all", async (order) => {
      const page = { ...scope, order, limit: PAGE };
      const last = (await runComposed(db().query, accountPage, page)).at(-1);
      if (!last) throw new Error("nothing was found");
      for (const one of [page, { ...page, after: { at: last.createdAt, id: last.id } }]) {
        expect(await rowsReadBy((query) => runComposed(query, accountPage, one))).toBeLessThan(10 * PAGE + 2 * own);
      }
      const troubled = { ...page, disconnected: true };
      expect(await rowsReadBy((query) => runComposed(query, accountPage, troubled))).toBeLessThan(12 * TROUBLED);
    });

    it.each(searches.slice(1, 3))(
      "a page of %s accounts reads the mailboxes that it shows, and not all such",
      async (_kind, search) => {
        const page = { ...search, limit: SHORT_PAGE };
        const found = await runComposed(db().query, accountPage, page);
        expect(found.length).toBe(within?.[0] === "small_1" ? 0 : SHORT_PAGE);
        const last = found.at(-1);
        const after = last ? { at: last.createdAt, id: last.id } : { at: "2100-01-01T00:00:00Z", id: "" };
        for (const one of [page, { ...page, after }, { ...page, revoked: false, after }]) {
          expect(await rowsReadBy((query) => runComposed(query, accountPage, one))).toBeLessThan(12 * SHORT_PAGE);
          await expectShortArrays(one);
        }
      },
    );

    const states: (EndpointSearch["states"] | undefined)[] = [undefined, ["failing"], ["active"]];
    it.each(states.map((some) => [some?.join() ?? "newest", some] as const))(
      "the %s endpoints are found without reading all",
      async (_kind, some) => {
        const search = { ...scope, ...(some && { states: some }) };
        const rows = await rowsReadBy((query) =>
          runComposed(query, endpointPage, { ...search, limit: PAGE, measured }),
        );
        expect(rows).toBeLessThan(2 * 2_000 + 6 * TROUBLED + 2 * own);
        // The list reads the failing ones and the others apart.
        for (const failing of [true, false]) {
          const part = { ...search, failing, limit: PAGE, measured };
          const ofPart = await rowsReadBy((query) => runComposed(query, endpointPage, part));
          expect(ofPart).toBeLessThan(2 * 2_000 + 6 * TROUBLED + 2 * own);
        }
        if (within === null) return;
        const counted = await rowsReadBy((query) => runComposed(query, endpointCount, search));
        expect(counted).toBeLessThan(6 * TROUBLED + 3 * own);
      },
    );

    it("the newest deliveries are found without reading all", async () => {
      const narrowed = await narrow(db().query, {}, within);
      if (narrowed === null) throw new Error("nothing can match");
      const search = { narrowed, limit: PAGE, now: Date.now() };
      const [first] = await newestRows(db().query, deliveryPage, search);
      if (!first) throw new Error("nothing was found");
      const rows = await rowsReadBy((query) => newestRows(query, deliveryPage, search));
      expect(rows).toBeLessThan(10 * PAGE + 2 * own);
      // Of few applications those of two days are so few that PostgreSQL may read them for each.
      const after = { at: first.placeAt, id: first.id };
      const second = await rowsReadBy((query) => newestRows(query, deliveryPage, { ...search, after }));
      expect(second).toBeLessThan(10 * PAGE + 4 * own);
    });

    it("the oldest deliveries are found without reading all, from one page to the next", async () => {
      const narrowed = await narrow(db().query, {}, within);
      if (narrowed === null) throw new Error("nothing can match");
      const search = { narrowed, limit: PAGE };
      const last = (await oldestRows(db().query, deliveryPage, search)).at(-1);
      if (!last) throw new Error("nothing was found");
      const after = last && { at: last.placeAt, id: last.id };
      for (const one of [search, { ...search, after }]) {
        expect(await rowsReadBy((query) => oldestRows(query, deliveryPage, one))).toBeLessThan(10 * PAGE + 4 * own);
      }
    });
  });
});

describe("the health of providers", () => {
  it("reads a bounded number of mailboxes, with statistics", async () => {
    await db().query("ANALYZE");
    let found = 0;
    const read = await rowsReadBy(async (query) => {
      const all = await readProviderHealth(query, Date.now());
      found = all.find(({ provider }) => provider === "google")?.mailboxes ?? 0;
    });
    expect(found).toBe(MOST_COUNTED);
    expect(read).toBeLessThan(2 * MOST_COUNTED + 10 * TROUBLED);
  });
});

/** No array has more accounts than its page. */
async function expectShortArrays(search: AccountSearch & { limit: number }): Promise<void> {
  const bound = binding();
  const text = accountPage.compose(search, bound);
  const looks = search.within?.length ?? 1;
  expect(await rowsInArrays(text, bound.values)).toBeLessThanOrEqual(looks * search.limit);
}

describe("the accounts in trouble", () => {
  const has = (is: string) =>
    `EXISTS (SELECT FROM profiles p JOIN profile_syncs s ON s.profile_id = p.id WHERE p.account_id = a.id AND ${is})`;
  const disconnected = has("NOT p.connected");
  const failing = has("s.readable AND s.sync_failures >= 3");
  const late = has("s.readable AND s.sync_failures < 3 AND s.sync_due_at < now() - interval '30 minutes'");
  const within = ["large_2", "small_1", "large_5"];
  const isWithin = "a.application_id IN ('large_2', 'small_1', 'large_5')";
  const searches: [AccountSearch, string][] = [
    [{ disconnected: true }, disconnected],
    [{ disconnected: true, application: "large_2" }, `${disconnected} AND a.application_id = 'large_2'`],
    [{ disconnected: true, within, revoked: false }, `${disconnected} AND ${isWithin} AND a.revoked_at IS NULL`],
    [{ disconnected: true, sync: ["failing"] }, `${disconnected} AND ${failing}`],
    [{ disconnected: true, q: "1101@acme" }, `${disconnected} AND a.email LIKE '1101@acme%'`],
    [{ disconnected: false, within: ["large_2"] }, `NOT ${disconnected} AND a.application_id = 'large_2'`],
    [{ disconnected: false, sync: ["failing"] }, `NOT ${disconnected} AND ${failing}`],
    [{ sync: ["failing"], revoked: true }, `${failing} AND a.revoked_at IS NOT NULL`],
    [{ sync: ["late"], within }, `${late} AND ${isWithin}`],
    [{ sync: ["failing", "late"] }, `(${failing} OR ${late})`],
    [
      { sync: ["failing", "late"], within, disconnected: false },
      `(${failing} OR ${late}) AND ${isWithin} AND NOT ${disconnected}`,
    ],
  ];

  beforeAll(async () => {
    const run = db().query;
    // Some have two such mailboxes, some one of each kind, and some were created together.
    await run(`INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, connected, credential, initial_sync_required)
SELECT id || '_' || n, id, application_id, 'google', 'google', id || '/' || n, email, n = 2, 'x', false FROM accounts CROSS JOIN generate_series(1, 2) n
WHERE id ~ '_(101|201|301|202|203)$'`);
    await run(
      "UPDATE profile_syncs SET last_sync_at = now(), sync_due_at = now() + interval '1 hour' WHERE profile_id ~ '_(1|2)$' AND last_sync_at IS NULL",
    );
    await run("UPDATE profile_syncs SET sync_failures = 3 WHERE profile_id ~ '_[0-9]+_(201|202|203|302)_2$'");
    await run("UPDATE accounts SET revoked_at = now() WHERE id ~ '_(202|301)$'");
  });

  it.each(searches)("are listed in order and counted: %j", async (search, is) => {
    const rows = await db().query<{ id: string }>(
      `SELECT a.id FROM accounts a WHERE ${is} ORDER BY a.created_at DESC, a.id DESC`,
    );
    const expected = rows.map(({ id }) => id);
    expect((await runComposed(db().query, accountCount, search)).map(({ count }) => count)).toEqual([expected.length]);
    const seen: string[] = [];
    for (let after: AccountSearch["after"]; ; ) {
      const page = await runComposed(db().query, accountPage, { ...search, limit: 97, ...(after && { after }) });
      seen.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      if (page.length < 97 || !last) break;
      after = { at: last.createdAt, id: last.id };
    }
    expect(seen).toEqual(expected);
    expect(expected.length).toBeGreaterThan(0);
  });
});

describe("a page of several applications", () => {
  it("has the newest of all of them, in their order, from one page to the next", async () => {
    const within = ["large_3", "small_1", "large_9"];
    const order = async (table: string, isOwn: string) =>
      (
        await db().query<{ id: string }>(
          `SELECT t.id FROM ${table} t WHERE ${isOwn} = ANY ($1) ORDER BY t.created_at DESC, t.id DESC LIMIT 120`,
          [within],
        )
      ).map(({ id }) => id);
    const paged = async (page: (after?: { at: string; id: string }) => Promise<{ id: string; at: string }[]>) => {
      const first = await page();
      return [...first, ...(await page(first.at(-1)))].map(({ id }) => id);
    };
    const accounts = await paged(async (after) =>
      (await runComposed(db().query, accountPage, { within, limit: 60, ...(after && { after }) })).map((row) => ({
        id: row.id,
        at: row.createdAt,
      })),
    );
    expect(accounts).toEqual(await order("accounts", "application_id"));
    const endpoints = await paged(async (after) =>
      (await runComposed(db().query, endpointPage, { within, limit: 60, measured, ...(after && { after }) })).map(
        (row) => ({
          id: row.id,
          at: row.placeAt,
        }),
      ),
    );
    const ofAccount = "(SELECT application_id FROM accounts WHERE id = t.account_id)";
    expect(endpoints).toEqual(await order("channels", ofAccount));
    const small = await runComposed(db().query, endpointPage, {
      within: ["small_1", "small_2"],
      limit: PAGE,
      measured,
    });
    expect(small.map(({ applicationId }) => applicationId).sort()).toEqual([
      ...Array(25).fill("small_1"),
      ...Array(26).fill("small_2"),
    ]);
  });
});
