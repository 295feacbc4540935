import pg from "pg";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import type { Instant } from "@/server/domain/time/instant";
import type { StaffCaller } from "@/server/services/staff/api";
import { eraseApplications } from "@/server/store/applications/erase";
import { storeRequests } from "@/server/store/request-logs/request-logs";
import { joinChanges } from "@/server/webhooks/join-changes";
import { storeOutcomes } from "@/server/webhooks/outcomes";
import { prepareDays } from "@/server/webhooks/retention";
import { ownDatabase } from "../api/own-database";
import { newOperator } from "../api/staff/staff-caller";
import { seedAccount, seedApplication, seedChannels } from "../rig/seed";

// Vite puts its own BASE_URL into the environment of every test.
ownDatabase(() => ({ BASE_URL: "http://api.almanac.localhost" }));

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How many days before today there are partitions of. */
const DAYS = 8;
const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
const noonBefore = (days: number) => noon - days * DAY_MS;
const dayBefore = (table: string, days: number) =>
  `${table}_${new Date(noonBefore(days)).toISOString().slice(0, 10).replaceAll("-", "")}`;
/** From some days ago to some later ones, the newest first. */
const daysBefore = (table: string, first: number, last: number) =>
  Array.from({ length: first - last + 1 }, (_, i) => dayBefore(table, first - i));

let channel = "";
let accountId = "";
let staff: StaffCaller;
let developer: StaffCaller;

/** As a database is some time after its upgrade: the partitions of before are gone. */
beforeAll(async () => {
  const before = await db().query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname ~ '_before_'",
  );
  for (const { name } of before) await db().query(`DROP TABLE ${name}`);
  for (const days of [DAYS, DAYS - 4, 0]) await prepareDays(db(), noonBefore(days) as Instant);
  ({ accountId } = await seedAccount(db(), await seedApplication(db())));
  [channel = ""] = await seedChannels(db(), { accountId, urls: ["https://h.acme.io/hook"] });
  ({ api: staff } = await newOperator("admin"));
  const [application] = await db().query<{ id: string }>("SELECT application_id AS id FROM accounts WHERE id = $1", [
    accountId,
  ]);
  ({ api: developer } = await newOperator("developer", "Ada", [application?.id ?? ""]));
});

beforeEach(async () => {
  await db().query("DELETE FROM attempts");
  await db().query("DELETE FROM deliveries");
});

/** An id that a process made at a time. */
function idOf(ms: number): string {
  context.clock = { now: () => ms, monotonic: () => 0 };
  const id = newId("whd");
  context.clock = undefined;
  return id;
}

interface Ended {
  id: string;
  at: number;
  state?: string;
  lease?: string;
}

/** One that was created and attempted at a time, and has ended. */
async function ended({ id, at, state = "delivered", lease }: Ended): Promise<string> {
  const createdAt = new Date(at);
  await db().query(
    `INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, state, attempts, last_status, lease, created_at, finished_at)
SELECT $1, c.id, a.id, a.application_id, 'change', '{}', 'h.acme.io', $3::delivery_state, 1, 200, $4, $5, $5
FROM channels c JOIN accounts a ON a.id = c.account_id WHERE c.id = $2`,
    [id, channel, state, lease ?? null, createdAt],
  );
  await db().query(
    "INSERT INTO attempts (delivery_id, channel_id, number, status, started_at) VALUES ($1, $2, 1, 200, $3)",
    [id, channel, createdAt],
  );
  return id;
}

/** The days whose partitions some work reads, locks or writes, or that PostgreSQL has to plan for, beside those that are to come. */
async function daysOfWork(work: () => Promise<unknown>, of = /\b(deliveries|attempts)\b/): Promise<string[]> {
  const sent: { text: string; values: unknown[] }[] = [];
  const { query } = pg.Client.prototype;
  const restore = () => void Object.assign(pg.Client.prototype, { query });
  onTestFinished(restore);
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, given: string | { text: string; values?: unknown[] }, ...more: unknown[]) {
      const { text, values } = typeof given === "string" ? { text: given, values: more[0] } : given;
      if (of.test(text)) sent.push({ text, values: (values ?? []) as unknown[] });
      return Reflect.apply(query, this, [given, ...more]);
    },
  });
  await work();
  restore();
  const found = new Set<string>();
  for (const { text, values } of sent) {
    const plan = await db().query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values);
    for (const line of plan)
      for (const [, name = ""] of line["QUERY PLAN"].matchAll(/ on ((?:deliveries|attempts)_\d+)/g)) found.add(name);
  }
  expect(sent).not.toEqual([]);
  return [...found].filter((name) => name <= dayBefore(name.replace(/_.*/, ""), 0)).sort();
}

const lookUps: [string, (api: StaffCaller, id: string) => Promise<unknown>, string[]][] = [
  ["its page", (api, id) => api.deliveries.get({ id }), daysBefore("attempts", 6, 4)],
  ["its progress", (api, id) => api.deliveries.progress({ id }), daysBefore("attempts", 6, 0)],
  ["the search", (api, id) => api.search.find({ q: id }), []],
  ["the list of deliveries", (api, id) => api.deliveries.list({ id }), []],
  ["the search in that list", (api, q) => api.deliveries.list({ q }), []],
  ["the count of that list", (api, id) => api.deliveries.count({ id }), []],
  ["why that list is empty", (api, id) => api.deliveries.absence({ id, state: ["failed"] }), []],
  ["its account", (api, q) => api.accounts.list({ q }), []],
  ["the requests of its account", (api, id) => api.requests.list({ id }), []],
  ["the count of endpoints", (api, q) => api.endpoints.count({ q }), []],
  ["a retry of it", (api, id) => api.deliveries.retry({ id }), []],
];

describe("a delivery of an id that tells its day", () => {
  it.each(lookUps)("is looked for in the partition of that day alone: %s", async (_, lookUp, attempts) => {
    const id = await ended({ id: idOf(noonBefore(5)), at: noonBefore(5) + 40 });
    const expected = [...attempts, dayBefore("deliveries", 5)];
    expect(await daysOfWork(() => lookUp(staff, id))).toEqual(expected);
    await db().query("UPDATE deliveries SET state = 'delivered', replay_from = NULL");
    expect(await daysOfWork(() => lookUp(developer, id))).toEqual(expected);
  });

  it("that is open beside a list is looked for in the partition of that day, and of those of the page", async () => {
    const id = await ended({ id: idOf(noonBefore(5)), at: noonBefore(5) });
    await many(60, noonBefore(0));
    const found = await daysOfWork(() => staff.deliveries.pulse({ open: id }));
    expect(found).toEqual([dayBefore("deliveries", 5), ...daysBefore("deliveries", 1, 0)]);
  });

  it("whose retry is taken back is looked for in the partition of that day alone", async () => {
    const id = await ended({ id: idOf(noonBefore(5)), at: noonBefore(5) });
    await staff.deliveries.retry({ id });
    const taken = await daysOfWork(() => staff.deliveries.cancel({ id, requested: true }));
    expect(taken).toEqual([dayBefore("deliveries", 5)]);
    expect(await staff.deliveries.get({ id })).toMatchObject({ state: "delivered" });
  });

  it("that was accepted after it had been cancelled is looked for in the partition of that day alone", async () => {
    const id = await ended({ id: idOf(noonBefore(5)), at: noonBefore(5), state: "cancelled", lease: "l" });
    const found = await daysOfWork(() => storeOutcomes(db(), [accepted(id)], () => 0));
    expect(found.filter((name) => name.startsWith("deliveries"))).toEqual([dayBefore("deliveries", 5)]);
    expect(await staff.deliveries.get({ id })).toMatchObject({ state: "delivered" });
  });

  it("that staff retried has an attempt of a later day, which its page and the list show", async () => {
    const id = await ended({ id: idOf(noonBefore(5)), at: noonBefore(5) });
    await db().query("INSERT INTO attempts (delivery_id, number, manual, started_at) VALUES ($1, 2, true, $2)", [
      id,
      new Date(noonBefore(0)),
    ]);
    await db().query("UPDATE deliveries SET attempts = 2, manual_attempts = 1");
    const page = await staff.deliveries.get({ id });
    expect([page.manual, page.attemptRows.length]).toEqual([true, 2]);
    expect((await developer.deliveries.list({})).items).toMatchObject([{ id, manual: true }]);
  });
});

const accepted = (id: string) => ({
  ...{ id, lease: "l", attempt: 2, scheduled: 2, manual: false, channelId: channel, verdict: "delivered" as const },
  ...{ status: 200, errorClass: null, address: null, responseHeaders: null, responseBody: null },
  ...{ startedAt: Date.now(), durationMs: 1 },
});

describe("a delivery that is elsewhere than its id tells is found all the same", () => {
  const ids: [string, () => string][] = [
    ["of before ids told a time", () => "whd_8c24ca3bdbf02bbe1dd9a8f7"],
    ["whose process had a clock a day ahead", () => idOf(noonBefore(4))],
    ["whose process had a clock hours behind", () => idOf(noonBefore(5) - 9 * HOUR_MS)],
    ["whose process had a clock of another year", () => idOf(Date.UTC(2031, 0, 1))],
    ["that somebody made up", () => `whd_${"f".repeat(24)}`],
  ];
  it.each(ids)("%s", async (_, id) => {
    const near = await ended({ id: idOf(noonBefore(5)), at: noonBefore(5) });
    const far = await ended({ id: id(), at: noonBefore(5) });
    const same = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(near, far));
    for (const [name, lookUp] of lookUps) {
      const found = await lookUp(staff, far);
      expect({ name, found: same(found) }).toEqual({ name, found: same(await lookUp(staff, near)) });
    }
  });

  it("an outcome of it is stored", async () => {
    const [near, far] = [idOf(noonBefore(5)), "whd_8c24ca3bdbf02bbe1dd9a8f7"];
    for (const id of [near, far]) await ended({ id, at: noonBefore(5), state: "cancelled", lease: "l" });
    await storeOutcomes(db(), [accepted(far), accepted(near)], () => 0);
    const { items } = await staff.deliveries.list({});
    expect(items.map(({ state }) => state)).toEqual(["delivered", "delivered"]);
    expect((await staff.deliveries.get({ id: far })).attemptRows).toHaveLength(2);
  });
});

/** So many deliveries, each a second before the one before. Gives their ids, the newest first. */
async function many(count: number, at: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await ended({ id: idOf(at - i * 1_000), at: at - i * 1_000 }));
  return ids;
}

describe("a list of deliveries, the newest first", () => {
  const kinds: [string, object][] = [
    ["all", {}],
    ["of an application", { q: "h.acme.io" }],
    ["delivered", { state: ["delivered"] }],
    ["of a type", { type: ["change"] }],
  ];
  it.each(kinds)("looks into the last two days alone where they fill the page: %s", async (_, filters) => {
    await many(60, noonBefore(0));
    await many(60, noonBefore(3));
    for (const api of [staff, developer]) {
      expect(await daysOfWork(() => api.deliveries.list(filters))).toEqual(daysBefore("deliveries", 1, 0));
      expect(await daysOfWork(() => api.deliveries.pulse(filters))).toEqual(daysBefore("deliveries", 1, 0));
    }
  });

  it("looks into two days for a later page too", async () => {
    await many(60, noonBefore(0));
    await many(120, noonBefore(3));
    const first = await staff.deliveries.list({});
    const second = await staff.deliveries.list({ after: first.next ?? "" });
    const third = () => staff.deliveries.list({ after: second.next ?? "" });
    expect(await daysOfWork(third)).toEqual(daysBefore("deliveries", 4, 3));
  });

  it("with times looks into their days alone", async () => {
    await many(60, noonBefore(3));
    const filters = {
      from: new Date(noonBefore(3) - HOUR_MS).toISOString(),
      to: new Date(noonBefore(3)).toISOString(),
    };
    expect(await daysOfWork(() => staff.deliveries.list(filters))).toEqual([dayBefore("deliveries", 3)]);
    expect(await daysOfWork(() => staff.deliveries.count(filters))).toEqual([dayBefore("deliveries", 3)]);
    expect(await daysOfWork(() => staff.deliveries.chart(filters))).toEqual([dayBefore("deliveries", 3)]);
  });

  it.each([
    ["", {}],
    [", from a time on", { from: new Date(noonBefore(7)).toISOString() }],
    [", up to a time", { to: new Date(noon + 1).toISOString() }],
  ])("has what is before them where they do not fill it, each delivery once and in its order%s", async (_, filters) => {
    const midnight = noonBefore(1) - DAY_MS / 2;
    const ids = [...(await many(5, noonBefore(0))), ...(await many(2, midnight)), ...(await many(40, noonBefore(6)))];
    const pages: string[] = [];
    let after: string | undefined;
    do {
      const page = await staff.deliveries.list({ limit: 7, ...filters, ...(after && { after }) });
      pages.push(...page.items.map(({ id }) => id));
      after = page.next ?? undefined;
    } while (after);
    expect(pages).toEqual(ids);
    expect((await staff.deliveries.list(filters)).items.map(({ id }) => id)).toEqual(ids);
  });

  it("tells that something before them has changed where they do not fill the page", async () => {
    await many(5, noonBefore(0));
    const [old] = await many(1, noonBefore(6));
    const before = await staff.deliveries.pulse({});
    await db().query("UPDATE deliveries SET state = 'failed' WHERE id = $1", [old]);
    expect((await staff.deliveries.pulse({})).page).not.toBe(before.page);
  });
});

describe("an endpoint is measured by the attempts of the days that are shown, and no deliveries but those that are pending", () => {
  const hoursAgo = (hours: number) => Date.now() - hours * HOUR_MS;
  const since = (ms: number) => daysBefore("attempts", Math.floor(noon / DAY_MS) - Math.floor(ms / DAY_MS), 0);
  const reads: [string, (api: StaffCaller) => Promise<unknown>, number][] = [
    ["the list", (api) => api.endpoints.list({}), hoursAgo(24)],
    ["that of an account", (api) => api.endpoints.list({ account: accountId }), hoursAgo(24)],
    ["the health of a channel", (api) => api.channels.health({ id: channel }), hoursAgo(24)],
  ];
  it.each(reads)("%s", async (_, read, from) => {
    for (const api of [staff, developer]) expect(await daysOfWork(() => read(api))).toEqual(since(from));
  });

  it("and its page, which has its last attempt and its newest deliveries, by the attempts of a week", async () => {
    const found = await daysOfWork(() => staff.endpoints.get({ id: channel }));
    expect(found.filter((name) => name.startsWith("attempts"))).toEqual(since(hoursAgo(168)));
  });

  it("and so is the last success of one that fails", async () => {
    await db().query("UPDATE channels SET failing = true, failures = 3 WHERE id = $1", [channel]);
    onTestFinished(async () => void (await db().query("UPDATE channels SET failing = false WHERE id = $1", [channel])));
    await ended({ id: idOf(noonBefore(6)), at: noonBefore(6) });
    await ended({ id: idOf(noonBefore(8)), at: noonBefore(8) });
    const { items } = (await staff.overview.show()).failingEndpoints;
    expect(items.map(({ lastSuccessAt }) => lastSuccessAt)).toEqual([new Date(noonBefore(6)).toISOString()]);
    const found = await daysOfWork(() => staff.overview.show());
    expect(found.filter((name) => name.startsWith("attempts"))).toEqual(daysBefore("attempts", 7, 0));
  });
});

describe("the timeline of an account", () => {
  it("looks into the three days before and after its time", async () => {
    const ids = await Promise.all([5, 4, 3].map((days) => ended({ id: idOf(noonBefore(days)), at: noonBefore(days) })));
    const around = new Date(noonBefore(4)).toISOString();
    const found = await daysOfWork(() => staff.accounts.timeline({ id: accountId, around }));
    expect(found).toEqual([...daysBefore("attempts", 8, 0), ...daysBefore("deliveries", 7, 1)]);
    const { steps } = await staff.accounts.timeline({ id: accountId, around });
    expect(ids.filter((id) => JSON.stringify(steps).includes(id))).toEqual([ids[1]]);
  });
});

describe("the request that created a channel", () => {
  const request = crypto.randomUUID();
  beforeAll(async () => {
    const row = {
      ...{
        id: request,
        requestId: "req_0123456789abcdef01234567",
        at: new Date(),
        method: "POST",
        path: "/v1/channels",
        query: null,
      },
      ...{ status: 200, durationMs: 3, applicationId: null, accountId: null, address: null, errorKeys: [] },
      ...{ requestHeaders: {}, requestBody: {}, responseHeaders: {}, plan: "standard" as const },
      responseBody: { channel: { channel_id: channel } },
    };
    await storeRequests(db(), [row]);
  });

  const openedAt = async (days: number) => {
    await db().query("UPDATE channels SET created_at = $2 WHERE id = $1", [channel, new Date(noonBefore(days))]);
  };
  const verifiedAt = async (days: number) => {
    const id = await ended({ id: idOf(noonBefore(days)), at: noonBefore(days) + 1_000 });
    await db().query("UPDATE deliveries SET type = 'verification' WHERE id = $1", [id]);
    return id;
  };
  const read = () => staff.requests.get({ id: request });

  it("is shown the verification of the hour after it, for which that day alone is looked into", async () => {
    await openedAt(5);
    const id = await verifiedAt(5);
    expect(await daysOfWork(read)).toEqual([dayBefore("deliveries", 5)]);
    expect((await read()).caused.deliveries).toMatchObject([{ id, type: "verification" }]);
  });

  it("and one of days later, when everything stood still", async () => {
    await openedAt(5);
    const id = await verifiedAt(2);
    expect(await daysOfWork(read)).toEqual(daysBefore("deliveries", 5, 0));
    expect((await read()).caused.deliveries).toMatchObject([{ id, type: "verification" }]);
  });
});

it("changes that join a pending delivery look at its attempts of three days", async () => {
  const id = await ended({ id: idOf(noonBefore(0)), at: noonBefore(0), state: "pending" });
  const since = noonBefore(0) as Instant;
  const found = await daysOfWork(() => joinChanges(db().query, [{ id, since }]));
  const first = Math.floor(noon / DAY_MS) - Math.floor((Date.now() - 72 * HOUR_MS) / DAY_MS);
  expect(found).toEqual(daysBefore("attempts", first, 0));
  const rows = await db().query("SELECT joined_since AS since FROM deliveries WHERE id = $1", [id]);
  expect(rows).toEqual([{ since: new Date(since) }]);
});

it("an application that was deleted is erased day by day", async () => {
  const old = await ended({ id: idOf(noonBefore(5)), at: noonBefore(5) });
  const kept = await ended({ id: idOf(noonBefore(4)), at: noonBefore(4) });
  const newer = await ended({ id: idOf(noonBefore(2)), at: noonBefore(2) });
  await db().query(
    "INSERT INTO applications (id, client_id, name, deleted_at, disabled_at) VALUES ('gone', 'gone', 'Gone', now(), now())",
  );
  await db().query("UPDATE deliveries SET application_id = 'gone' WHERE id = ANY ($1)", [[old, newer]]);
  const erase = () => eraseApplications(db(), Date.now() as Instant, () => true);
  const found = await daysOfWork(erase, /\bDELETE FROM attempts\b/);
  expect(found).toEqual([...daysBefore("attempts", 6, 0), dayBefore("deliveries", 5), dayBefore("deliveries", 2)]);
  const left = await db().query(
    "SELECT id FROM deliveries UNION ALL SELECT delivery_id FROM attempts UNION ALL SELECT id FROM applications WHERE id = 'gone'",
  );
  expect(left).toEqual([{ id: kept }, { id: kept }]);
});
