import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { MOST_COUNTED, type Page } from "@/server/services/staff/lists/paging";
import { storeRequests } from "@/server/store/request-logs/request-logs";
import { addChannels, addDeliveries } from "../../fakes/stored-deliveries";
import { ownDatabase } from "../own-database";
import { newOperator, type Operator, refusal } from "./staff-caller";

ownDatabase();

const HOUR_MS = 3_600_000;
/** A moment that several rows share, so that pages end in the middle of it. */
const now = Date.now() - HOUR_MS;
const ago = (hours: number) => new Date(now - hours * HOUR_MS);

let staff: Operator;
/** Of two applications, whose lists are combined. */
let developer: Operator;

beforeAll(async () => {
  for (const id of ["app_a", "app_b", "app_c"])
    await db().prisma.application.create({ data: { id, clientId: id, name: id } });
  staff = await newOperator();
  developer = await newOperator("developer", "Dev", ["app_a", "app_b"]);
}, 60_000);

/** Reads a list to its end, a few rows at a time. */
async function walked<Row extends { id: string }>(page: (after?: string) => Promise<Page<Row>>): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const { items, next } = await page(after);
    ids.push(...items.map(({ id }) => id));
    after = next ?? undefined;
  } while (after !== undefined);
  return ids;
}

describe("accounts", () => {
  const names = ["zoe@acme.io", "Anna@acme.io", "anna@acme.io", "bob@acme.io", "Émile@acme.io", "anna@acme.io"];
  const all = names.map((email, n) => ({
    id: `acc_${n}`,
    email,
    applicationId: n % 2 === 0 ? "app_a" : "app_b",
    createdAt: ago(Math.floor(n / 2)),
    isDisconnected: n === 1 || n === 4,
  }));

  beforeAll(async () => {
    const rows = [
      ...all,
      { ...all[0], id: "acc_9", email: "", applicationId: "app_c", createdAt: ago(0), isDisconnected: false },
    ];
    for (const { id, email = "", applicationId = "", createdAt = ago(0), isDisconnected } of rows) {
      const name = id === "acc_9" ? "carl" : "unused";
      await db().prisma.account.create({ data: { id, kind: "account", applicationId, email, name, createdAt } });
      await db().query(
        `INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, connected, credential, initial_sync_required, disconnected_at)
VALUES ($1, $1, $2, 'google', 'google', $1, '', $3, 'x', false, CASE WHEN $3 THEN NULL ELSE now() END)`,
        [id, applicationId, !isDisconnected],
      );
    }
  });

  const orders = {
    newest: ["acc_9", "acc_1", "acc_0", "acc_3", "acc_2", "acc_5", "acc_4"],
    oldest: ["acc_4", "acc_5", "acc_2", "acc_3", "acc_0", "acc_1", "acc_9"],
    disconnected: ["acc_1", "acc_4", "acc_9", "acc_0", "acc_3", "acc_2", "acc_5"],
    // By the letters without their case, and then by id.
    name: ["acc_1", "acc_2", "acc_5", "acc_3", "acc_9", "acc_0", "acc_4"],
  };
  type Order = keyof typeof orders;
  const isTheirs = (id: string) => id !== "acc_9";

  it.each(Object.entries(orders))("are all there once, page by page, in the order %s", async (name, ids) => {
    const sort = name as Order;
    for (const limit of [1, 2, 3, 7]) {
      expect(await walked((after) => staff.api.accounts.list({ sort, limit, after }))).toEqual(ids);
      expect(await walked((after) => developer.api.accounts.list({ sort, limit, after }))).toEqual(
        ids.filter(isTheirs),
      );
    }
  });

  it("keep their order when they are narrowed", async () => {
    const narrowed = async (more: { sort: Order; disconnected?: boolean; q?: string; application?: string }) =>
      await walked((after) => staff.api.accounts.list({ ...more, limit: 1, after }));
    expect(await narrowed({ sort: "name", disconnected: true })).toEqual(["acc_1", "acc_4"]);
    expect(await narrowed({ sort: "oldest", disconnected: true })).toEqual(["acc_4", "acc_1"]);
    expect(await narrowed({ sort: "disconnected", disconnected: true })).toEqual(["acc_1", "acc_4"]);
    expect(await narrowed({ sort: "disconnected", disconnected: false })).toEqual([
      "acc_9",
      "acc_0",
      "acc_3",
      "acc_2",
      "acc_5",
    ]);
    expect(await narrowed({ sort: "name", q: "anna" })).toEqual(["acc_1", "acc_2", "acc_5"]);
    expect(await narrowed({ sort: "name", application: "app_a" })).toEqual(["acc_2", "acc_0", "acc_4"]);
  });

  it("refuse an order that they don't have, and the cursor of another order", async () => {
    const unknown = staff.api.accounts.list({ sort: "color" as Order });
    expect(await refusal(unknown)).toMatchObject({ kind: "invalid", issues: [{ path: ["sort"] }] });
    const { next } = await staff.api.accounts.list({ sort: "name", limit: 1 });
    for (const sort of ["newest", "oldest", "disconnected"] as const) {
      const mixed = staff.api.accounts.list({ sort, after: next ?? "" });
      expect(await refusal(mixed)).toMatchObject({ kind: "invalid", issues: [{ path: ["after"] }] });
    }
  });
});

describe("deliveries", () => {
  const due = (hours: number) => new Date(now + hours * HOUR_MS);
  const all = [
    { id: "whd_1", state: "pending", nextAttemptAt: due(2), createdAt: ago(1) },
    { id: "whd_2", state: "pending", nextAttemptAt: due(1), createdAt: ago(2) },
    { id: "whd_3", state: "pending", nextAttemptAt: null, createdAt: ago(2) },
    { id: "whd_4", state: "pending", nextAttemptAt: due(1), createdAt: ago(70) },
    { id: "whd_5", state: "delivered", nextAttemptAt: null, createdAt: ago(0) },
    { id: "whd_6", state: "failed", nextAttemptAt: null, createdAt: ago(2) },
    { id: "whd_7", state: "cancelled", nextAttemptAt: null, createdAt: ago(100) },
    { id: "whd_8", state: "delivered", nextAttemptAt: null, createdAt: ago(2) },
  ] as const;

  beforeAll(async () => {
    await db().prisma.account.createMany({
      data: ["a", "b"].map((name) => ({
        id: `acc_of_${name}`,
        kind: "account",
        applicationId: `app_${name}`,
        email: "",
        name,
      })),
    });
    for (const name of ["a", "b"]) await addChannels(`acc_of_${name}`, [{ id: `chn_${name}` }]);
    for (const [n, one] of all.entries()) {
      const isOver = one.state !== "pending";
      await addDeliveries(n % 3 === 0 ? "chn_a" : "chn_b", [{ ...one, finishedAt: isOver ? one.createdAt : null }]);
    }
  });

  const orders = {
    newest: ["whd_5", "whd_1", "whd_8", "whd_6", "whd_3", "whd_2", "whd_4", "whd_7"],
    oldest: ["whd_7", "whd_4", "whd_2", "whd_3", "whd_6", "whd_8", "whd_1", "whd_5"],
    nextAttempt: ["whd_2", "whd_4", "whd_1", "whd_3", "whd_5", "whd_8", "whd_6", "whd_7"],
  };
  type Order = keyof typeof orders;

  it.each(Object.entries(orders))("are all there once, page by page, in the order %s", async (name, ids) => {
    const sort = name as Order;
    for (const limit of [1, 2, 3, 8]) {
      expect(await walked((after) => staff.api.deliveries.list({ sort, limit, after }))).toEqual(ids);
      expect(await walked((after) => developer.api.deliveries.list({ sort, limit, after }))).toEqual(ids);
    }
  });

  it("keep their order when they are narrowed", async () => {
    const narrowed = async (more: object, sort: Order) =>
      await walked((after) => staff.api.deliveries.list({ ...more, sort, limit: 1, after }));
    expect(await narrowed({ state: ["pending"] }, "nextAttempt")).toEqual(["whd_2", "whd_4", "whd_1", "whd_3"]);
    expect(await narrowed({ state: ["failed", "queued"] }, "nextAttempt")).toEqual([
      "whd_2",
      "whd_4",
      "whd_1",
      "whd_3",
      "whd_6",
    ]);
    expect(await narrowed({ state: ["failed"] }, "nextAttempt")).toEqual(["whd_6"]);
    expect(await narrowed({ channel: "chn_a" }, "nextAttempt")).toEqual(["whd_4", "whd_1", "whd_7"]);
    expect(await narrowed({ channel: "chn_a" }, "oldest")).toEqual(["whd_7", "whd_4", "whd_1"]);
    expect(await narrowed({ from: ago(3).toISOString(), to: ago(1).toISOString() }, "oldest")).toEqual([
      "whd_2",
      "whd_3",
      "whd_6",
      "whd_8",
    ]);
    expect(await narrowed({ id: "whd_4" }, "oldest")).toEqual(["whd_4"]);
  });

  it("refuse the cursor of another order", async () => {
    const { next } = await staff.api.deliveries.list({ channel: "chn_a", sort: "nextAttempt", limit: 1 });
    const mixed = staff.api.deliveries.list({ channel: "chn_a", after: next ?? "" });
    expect(await refusal(mixed)).toMatchObject({ kind: "invalid", issues: [{ path: ["after"] }] });
  });
});

describe("requests", () => {
  const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
  const all = [
    { status: 200, durationMs: 3.25, hours: 1 },
    { status: 422, durationMs: 1.125, hours: 1 },
    { status: 500, durationMs: 3.25, hours: 150 },
    { status: 200, durationMs: 0.1, hours: 2 },
    { status: 422, durationMs: 900, hours: 3 },
    { status: 200, durationMs: 3.25, hours: 1 },
  ];
  const logged = (n: number, { status, durationMs, hours }: (typeof all)[number], more: object = {}) => ({
    ...{
      id: id(n),
      requestId: `req_${n}`,
      at: ago(hours),
      method: "GET",
      path: "/v1/events",
      query: null,
      status,
      durationMs,
    },
    ...{ applicationId: n % 2 === 0 ? "app_a" : "app_b", accountId: null, address: null, plan: "standard" as const },
    ...{ errorKeys: status === 422 ? ["errors.required"] : [], requestHeaders: {}, requestBody: null },
    ...{ responseHeaders: {}, responseBody: null, ...more },
  });

  beforeAll(async () => {
    await storeRequests(
      db(),
      all.map((one, n) => logged(n, one)),
    );
  });

  const orders = {
    newest: [5, 1, 0, 3, 4, 2],
    oldest: [2, 4, 3, 0, 1, 5],
    slowest: [4, 5, 0, 2, 1, 3],
    status: [2, 1, 4, 5, 0, 3],
  };
  type Order = keyof typeof orders;

  it.each(Object.entries(orders))("are all there once, page by page, in the order %s", async (name, some) => {
    const sort = name as Order;
    for (const limit of [1, 2, 4, 6]) {
      for (const { api } of [staff, developer])
        expect(await walked((after) => api.requests.list({ sort, limit, after }))).toEqual(some.map(id));
    }
  });

  it("keep their order when they are narrowed", async () => {
    const narrowed = async (more: object, sort: Order) =>
      (await walked((after) => staff.api.requests.list({ ...more, sort, limit: 1, after }))).map((one) =>
        Number(one.at(-1)),
      );
    expect(await narrowed({ statusClass: ["4xx"] }, "slowest")).toEqual([4, 1]);
    expect(await narrowed({ statusClass: ["4xx", "5xx"] }, "oldest")).toEqual([2, 4, 1]);
    expect(await narrowed({ application: "app_a" }, "slowest")).toEqual([4, 0, 2]);
    expect(await narrowed({ errorKey: "errors.required" }, "status")).toEqual([1, 4]);
    expect(await narrowed({ from: ago(2).toISOString() }, "slowest")).toEqual([5, 0, 1, 3]);
  });

  it("are sorted by a measure while few enough match, and say what to do when more do", async () => {
    await db().prisma.application.create({ data: { id: "app_busy", clientId: "busy", name: "Busy" } });
    await db().query(
      `INSERT INTO request_logs (id, expires_on, request_id, at, method, path, endpoint, status, duration_ms, application_id, error_keys, detail)
SELECT gen_random_uuid(), expires_on, 'req_many', at, 'GET', '/v1/account', '/v1/account', 200, n, 'app_busy', '{}', '{}'
FROM request_logs, generate_series(1, ${MOST_COUNTED}) n WHERE id = $1::uuid`,
      [id(0)],
    );
    const slowest = (more: object = {}) => staff.api.requests.list({ sort: "slowest", limit: 1, ...more });
    expect((await slowest({ application: "app_busy" })).items).toMatchObject([{ durationMs: MOST_COUNTED }]);
    expect((await slowest({ endpoint: "/v1/account" })).items).toMatchObject([{ durationMs: MOST_COUNTED }]);
    await storeRequests(db(), [
      logged(
        9,
        { status: 200, durationMs: 1, hours: 1 },
        { id: randomUUID(), path: "/v1/account", endpoint: "/v1/account", applicationId: "app_busy" },
      ),
    ]);
    for (const more of [{}, { application: "app_busy" }, { statusClass: ["2xx"] }]) {
      expect(await refusal(slowest(more))).toMatchObject({
        kind: "invalid",
        issues: [
          { path: ["sort"], description: expect.stringContaining("Choose a shorter time range, or add a filter") },
        ],
      });
    }
  });
});
