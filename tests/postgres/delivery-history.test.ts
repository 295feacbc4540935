import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Database, db, type Query } from "@/server/db/client";
import { run, runOne, type Statement } from "@/server/db/statement";
import type { Instant } from "@/server/domain/time/instant";
import { makeDue, takeBackDelivery } from "@/server/services/staff/deliveries/replays/replays.sql";
import { revokeWithin } from "@/server/store/accounts/revoke-account";
import { closeChannel } from "@/server/store/channels/channels";
import { lockPendingDeliveries } from "@/server/store/channels/channels.sql";
import { claim, type DeliveryClaim } from "@/server/webhooks/claim";
import {
  claimDeliveries,
  endOverdueDeliveries,
  MOST_AT_ONCE,
  MOST_LOST,
  MOST_MADE_READY,
  makeReady,
  nextAttempt,
} from "@/server/webhooks/claim.sql";
import { traceOfPending } from "@/server/webhooks/delivery-trace.sql";
import { joinPending, lockPendingChanges } from "@/server/webhooks/fan-out.sql";
import { type Outcome, storeOutcomes, type Verdict } from "@/server/webhooks/outcomes";
import { dropDeliveries, storeAttempts } from "@/server/webhooks/outcomes.sql";
import { dropOldDeliveries, prepareDays } from "@/server/webhooks/retention";
import { ownDatabase } from "../api/own-database";
import { seedAccount, seedApplication, seedChannels, seedDeliveries } from "../rig/seed";

// Vite puts its own BASE_URL into the environment of every test.
ownDatabase(() => ({ BASE_URL: "http://api.almanac.localhost" }));

const DAY_MS = 86_400_000;
const now = Date.now() as Instant;
const later = (days: number) => (now + days * DAY_MS) as Instant;
let channel = "";
let accountId = "";

/** As a database is some time after its upgrade: the partitions of before are gone. */
beforeAll(async () => {
  const before = await db().query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname ~ '_before_'",
  );
  for (const { name } of before) await db().query(`DROP TABLE ${name}`);
  await prepareDays(db(), later(-4));
  await prepareDays(db(), now);
});

beforeEach(async () => {
  await db().query("TRUNCATE deliveries, attempts");
  ({ accountId } = await seedAccount(db(), await seedApplication(db())));
  [channel = ""] = await seedChannels(db(), { accountId, urls: ["https://h.acme.io/hook"] });
});

const outcome = (claimed: DeliveryClaim, verdict: Verdict): Outcome => ({
  ...{ id: claimed.id, lease: claimed.lease, attempt: claimed.attempt, scheduled: claimed.scheduled },
  ...{ manual: false, channelId: claimed.channelId, verdict, status: verdict === "delivered" ? 200 : 503 },
  ...{ errorClass: null, address: "127.0.0.1", responseHeaders: {}, responseBody: "", startedAt: now, durationMs: 1 },
});

interface Place {
  id: string;
  state: string;
  partition: string;
}
/** Where each delivery is, each time it is anywhere. */
const places = () =>
  db().query<Place>(
    "SELECT id, state::text AS state, tableoid::regclass::text AS partition FROM deliveries ORDER BY id",
  );
const attempts = () =>
  db().query<{ id: string; number: number; partition: string }>(
    "SELECT delivery_id AS id, number, tableoid::regclass::text AS partition FROM attempts ORDER BY 1, 2",
  );
const dayName = (prefix: string, at: Instant) =>
  `${prefix}_${new Date(at).toISOString().slice(0, 10).replaceAll("-", "")}`;
const tables = async (pattern: string) =>
  (
    await db().query<{ name: string }>(
      "SELECT relname::text AS name FROM pg_class WHERE relkind = 'r' AND relname ~ $1 ORDER BY 1",
      [pattern],
    )
  ).map(({ name }) => name);
const claimOne = async () => {
  const [claimed] = await claim(db(), { most: 1 });
  if (!claimed) throw new Error("nothing was claimed");
  return claimed;
};
/** One that was created some days ago and is due. */
const seedOld = async (days: number) => {
  const [id = ""] = await seedDeliveries(db(), [channel], 1);
  await db().query("UPDATE deliveries SET created_at = created_at - make_interval(days => $2) WHERE id = $1", [
    id,
    days,
  ]);
  return id;
};

describe("a delivery", () => {
  it("is in the queue until it is done, and then in the partition of its day, with its attempt in that of the attempt's", async () => {
    await seedOld(1);
    const first = await claimOne();
    await storeOutcomes(db(), [outcome(first, "again")], () => 0);
    const { id } = first;
    expect(await places()).toEqual([{ id, state: "pending", partition: "deliveries_queue" }]);
    await db().query("UPDATE deliveries SET next_attempt_at = now()");
    await storeOutcomes(db(), [outcome(await claimOne(), "delivered")], () => 0);
    expect(await places()).toEqual([{ id, state: "delivered", partition: dayName("deliveries", later(-1)) }]);
    const partition = dayName("attempts", now);
    expect(await attempts()).toEqual([1, 2].map((number) => ({ id, number, partition })));
  });

  it("that was accepted after it had been cancelled is delivered, where it is", async () => {
    await seedDeliveries(db(), [channel], 1);
    const claimed = await claimOne();
    await db().query("UPDATE deliveries SET state = 'cancelled', next_attempt_at = NULL");
    await storeOutcomes(db(), [outcome(claimed, "delivered")], () => 0);
    expect(await places()).toEqual([{ id: claimed.id, state: "delivered", partition: dayName("deliveries", now) }]);
    expect(await attempts()).toHaveLength(1);
  });

  it("whose outcome comes twice has one attempt", async () => {
    await seedDeliveries(db(), [channel], 1);
    const stored = outcome(await claimOne(), "delivered");
    for (let time = 0; time < 2; time++) await storeOutcomes(db(), [stored], () => 0);
    expect(await attempts()).toHaveLength(1);
  });

  it("that does not exist any more has no attempt", async () => {
    await seedDeliveries(db(), [channel], 1);
    const stored = outcome(await claimOne(), "delivered");
    await db().query("DELETE FROM deliveries");
    await storeOutcomes(db(), [stored], () => 0);
    expect(await attempts()).toEqual([]);
  });

  it("of a day without a partition ends all the same, and expires with the others", async () => {
    const id = await seedOld(20);
    // Given up after 48 hours.
    await endedNow();
    expect(await places()).toEqual([{ id, state: "failed", partition: "deliveries_rest" }]);
    await dropOldDeliveries(db(), later(9));
    expect(await places()).toHaveLength(1);
    await dropOldDeliveries(db(), later(11));
    expect(await places()).toEqual([]);
  });
});

async function endedNow(): Promise<void> {
  await runOne(db().query, endOverdueDeliveries, [null, 48 * 3600, MOST_LOST]);
}

describe("a process that dies", () => {
  /** Stores an outcome in a transaction whose process ends before it is committed. */
  async function dieStoring(stored: Outcome): Promise<void> {
    const dying = db().transaction(async (query) => {
      await storeOutcomes({ ...db(), query, transaction: (work) => work(query, db().prisma) }, [stored], () => 0);
      await query("SELECT pg_terminate_backend(pg_backend_pid())");
    });
    await expect(dying).rejects.toThrow();
  }

  it("while it stores an outcome leaves the delivery in the queue, without an attempt, and the next one is stored once", async () => {
    await seedDeliveries(db(), [channel], 1);
    const claimed = await claimOne();
    await dieStoring(outcome(claimed, "delivered"));
    const { id } = claimed;
    expect(await places()).toEqual([{ id, state: "pending", partition: "deliveries_queue" }]);
    expect(await attempts()).toEqual([]);
    await db().query("UPDATE deliveries SET next_attempt_at = now(), leased_until = now()");
    await storeOutcomes(db(), [outcome(await claimOne(), "delivered")], () => 0);
    expect(await places()).toEqual([{ id, state: "delivered", partition: dayName("deliveries", now) }]);
    expect(await attempts()).toMatchObject([{ id, number: 2 }]);
  });

  it("while it creates a partition leaves nothing behind, and the next one creates it", async () => {
    const day = dayName("deliveries", later(4));
    await db().transaction(async (query) => {
      await query("LOCK TABLE deliveries_history IN SHARE UPDATE EXCLUSIVE MODE");
      const refused = expect(prepareDays(db(), later(1))).rejects.toThrow();
      const attaching =
        "SELECT pid FROM pg_stat_activity WHERE query LIKE '%ATTACH PARTITION%' AND wait_event_type = 'Lock'";
      await expect.poll(async () => (await db().query(attaching)).length).toBe(1);
      await query(`SELECT pg_terminate_backend(pid) FROM (${attaching}) a`);
      await refused;
    });
    expect(await tables(`^${day}$`)).toEqual([]);
    await prepareDays(db(), later(1));
    expect(await tables(`^${day}$`)).toEqual([day]);
  });

  it("and others create each partition once when they do it at the same time", async () => {
    await Promise.all([1, 2, 3].map(() => prepareDays(db(), later(2))));
    expect(await tables(`^${dayName("deliveries", later(5))}`)).toHaveLength(1);
    expect(await tables(`^${dayName("attempts", later(5))}`)).toHaveLength(1);
  });
});

describe("what waits for a delivery that leaves the queue", () => {
  async function waiting(): Promise<void> {
    const locked = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await expect.poll(async () => (await db().query(locked)).length).toBe(1);
  }

  it.each<[string, (database: Database) => Promise<unknown>]>([
    [
      "closing its channel",
      (database) => database.transaction((query) => closeChannel(query, { accountId, id: channel })),
    ],
    [
      "revoking its account",
      (database) => database.transaction((query, prisma) => revokeWithin({ query, prisma }, accountId, now)),
    ],
    [
      "locking what is pending",
      (database) => database.transaction((query) => run(query, lockPendingDeliveries, [channel])),
    ],
  ])("begins again when it has arrived: %s", async (_, work) => {
    await seedDeliveries(db(), [channel], 1);
    const claimed = await claimOne();
    let meanwhile: Promise<unknown> = Promise.resolve();
    await db().transaction(async (query) => {
      await storeOutcomes(
        { ...db(), query, transaction: (one) => one(query, db().prisma) },
        [outcome(claimed, "delivered")],
        () => 0,
      );
      meanwhile = work(db());
      await waiting();
    });
    await meanwhile;
    expect(await places()).toMatchObject([{ id: claimed.id, state: "delivered" }]);
  });
});

describe("retention", () => {
  const doneOn = async (days: number) => {
    const id = await seedOld(days);
    await db().query("UPDATE deliveries SET state = 'delivered', next_attempt_at = NULL WHERE id = $1", [id]);
    await db().query(
      "INSERT INTO attempts (delivery_id, number, started_at) SELECT id, 1, created_at FROM deliveries WHERE id = $1",
      [id],
    );
    return id;
  };

  it("drops the days that are over for 30 days, and deletes nothing row by row", async () => {
    const [old, kept] = [await doneOn(4), await doneOn(1)];
    const deleted =
      "SELECT sum(n_tup_del)::int AS n FROM pg_stat_xact_user_tables WHERE relname ~ '^(deliveries|attempts)_'";
    await db().transaction(async (query) => {
      const before = await query(deleted);
      const on: Database = { ...db(), query, transaction: (work) => work(query, db().prisma) };
      expect(await dropOldDeliveries(on, later(27))).toBe(false);
      expect(await query(deleted)).toEqual(before);
    });
    expect((await places()).map(({ id }) => id)).toEqual([kept]);
    expect((await attempts()).map(({ id }) => id)).toEqual([kept]);
    expect(await tables(`^(deliveries|attempts)_${dayName("", later(-4)).slice(1)}$`)).toEqual([]);
    expect(await tables(`^(deliveries|attempts)_${dayName("", later(-3)).slice(1)}$`)).toHaveLength(2);
    expect(old).not.toBe(kept);
  });

  it("keeps what staff are retrying, which goes the night after it has ended", async () => {
    const id = await doneOn(3);
    await db().query(
      "UPDATE deliveries SET state = 'pending', replay_from = attempts, replay_state = 'delivered', replay_id = 'rpl', next_attempt_at = now()",
    );
    await dropOldDeliveries(db(), later(28));
    expect(await places()).toEqual([{ id, state: "pending", partition: "deliveries_queue" }]);
    await storeOutcomes(db(), [outcome(await claimOne(), "delivered")], () => 0);
    expect(await places()).toEqual([{ id, state: "delivered", partition: "deliveries_rest" }]);
    await dropOldDeliveries(db(), later(28));
    expect([await places(), await attempts()]).toEqual([[], []]);
  });
});

describe("plans", () => {
  /** The partitions that a statement reads or writes, as PostgreSQL plans it for these values. */
  async function touched(query: Query, text: string, values: unknown[]): Promise<string[]> {
    const plan = await query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values);
    const found = plan.flatMap((line) => [...line["QUERY PLAN"].matchAll(/ on ((?:deliveries|attempts)\w*)/g)]);
    return [...new Set(found.map(([, name]) => name ?? ""))]
      .filter((name) => !/^(deliveries|attempts)$/.test(name))
      .sort();
  }

  const row = { id: "whd_1", lease: "l", number: 1, verdict: "delivered" };
  it.each<[string, Statement<object>, unknown[], string[]]>([
    ["a claim", claimDeliveries, [null, "lease", 10, null, "", {}, {}, MOST_AT_ONCE], ["deliveries_queue"]],
    ["what has waited", makeReady, [null], ["deliveries_queue"]],
    ["an outcome", storeAttempts, [null, JSON.stringify([row]), null], ["deliveries_queue"]],
    ["what is overdue", endOverdueDeliveries, [null, 1, 1], ["deliveries_queue"]],
    ["the next attempt", nextAttempt, [null], ["deliveries_queue"]],
    ["what an attempt is a span of", traceOfPending, ["whd_1"], ["deliveries_queue"]],
    ["a change that may join a pending one", lockPendingChanges, [["acc"], null], ["deliveries_queue"]],
  ])("%s looks into the queue alone", async (_, { text }, values, expected) => {
    expect(await touched(db().query, text, values)).toEqual(expected);
  });

  const claiming = [null, "lease", 10, null, "", {}, {}, MOST_AT_ONCE];
  const hosts = (count: number, name: string) =>
    Array.from({ length: count }, (_, i) => `https://${name}${i}.acme.io/hook`);

  it("a claim steps from host to host in the index alone", async () => {
    await seedDeliveries(db(), await seedChannels(db(), { accountId, urls: hosts(200, "h") }), 10);
    await db().query("VACUUM ANALYZE deliveries");
    const plan = await db().query<{ "QUERY PLAN": string }>(`EXPLAIN ${claimDeliveries.text}`, claiming);
    const scans = plan.flatMap((line) => /(\w[\w ]+) using deliveries_ready/.exec(line["QUERY PLAN"])?.[1] ?? []);
    // Beside the steps, twice the first deliveries of a host, which are compared with more than the index has.
    expect(scans.filter((scan) => scan.trim() === "Index Scan")).toHaveLength(2);
    expect(scans.filter((scan) => scan.trim() === "Index Only Scan").length).toBeGreaterThan(2);
  });

  it.each([
    ["most deliveries wait", 0.99],
    ["few wait", 0.01],
  ])("a claim looks for what is ready and for what has waited in their own indexes where %s", async (_, share) => {
    await seedDeliveries(db(), await seedChannels(db(), { accountId, urls: hosts(50, "h") }), 100);
    await db().query(
      "UPDATE deliveries SET waits = true, next_attempt_at = now() + interval '1 hour' WHERE hashtext(id) / 2147483648.0 < $1::float8 * 2 - 1",
      [share],
    );
    await db().query("VACUUM ANALYZE deliveries");
    for (const mode of ["force_generic_plan", "force_custom_plan"]) {
      const plan = await db().transaction(async (query) => {
        await query(`SET LOCAL plan_cache_mode = ${mode}`);
        await query(`PREPARE claiming AS ${claimDeliveries.text}`);
        const lines = await query<{ "QUERY PLAN": string }>(
          "EXPLAIN EXECUTE claiming (NULL, 'lease', 10, '{}', '', '{}', '{}', 100)",
        );
        await query("DEALLOCATE claiming");
        return lines.map((line) => line["QUERY PLAN"]).join("\n");
      });
      expect(plan).toContain(" using deliveries_ready ");
      expect(plan).toMatch(/Index Scan using deliveries_waiting on deliveries_queue/);
      expect(plan).not.toContain("deliveries_of_receiver");
      expect(plan).not.toContain("Seq Scan on deliveries_queue");
    }
  });

  it("a claim steps over no host that waits for a retry, however many are due at a busy one", async () => {
    const waiting = 200;
    await seedDeliveries(db(), await seedChannels(db(), { accountId, urls: hosts(waiting, "h") }), 1);
    for (let claimed = 0; claimed < waiting; ) claimed += (await claim(db(), { most: 100 })).length;
    await seedDeliveries(db(), await seedChannels(db(), { accountId, urls: hosts(1, "z") }), 400);
    expect(await claim(db(), { most: 100 })).toHaveLength(1); // its limit
    await db().query("VACUUM ANALYZE deliveries");
    const plan = await db().query<{ "QUERY PLAN": string }>(
      `EXPLAIN (ANALYZE, TIMING OFF) ${claimDeliveries.text}`,
      claiming,
    );
    const steps = plan
      .map((line) => / using deliveries_ready .* loops=(\d+)/.exec(line["QUERY PLAN"])?.[1])
      .flatMap((loops) => (loops === undefined ? [] : [Number(loops)]));
    expect(steps.length).toBeGreaterThan(2);
    expect(steps.reduce((sum, loops) => sum + loops, 0)).toBeLessThan(20);
    expect((await places()).length).toBe(waiting + 400);
  });

  it("what has waited is made ready by an index that has nothing else, and is claimed", async () => {
    const many = MOST_MADE_READY + 100;
    await seedDeliveries(db(), await seedChannels(db(), { accountId, urls: hosts(many, "h") }), 1);
    const claimAll = async () => {
      const claimed = new Set<string>();
      for (let got = [await claim(db(), { most: 100 })].flat(); got.length > 0; got = await claim(db(), { most: 100 }))
        for (const { id } of got) claimed.add(id);
      return claimed.size;
    };
    expect(await claimAll()).toBe(many);
    expect(await claimAll()).toBe(0);
    await db().query("UPDATE deliveries SET next_attempt_at = now(), leased_until = NULL, lease = NULL");
    await db().query("VACUUM ANALYZE deliveries");
    const plan = await db().query<{ "QUERY PLAN": string }>(`EXPLAIN ${makeReady.text}`, [null]);
    expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toContain("Index Scan using deliveries_waiting");
    expect(await claimAll()).toBe(many);
  });

  it("what a claim has found does not wait for what is made ready: the next one does that", async () => {
    await seedDeliveries(db(), [channel], 1);
    const seen = { someWaited: false };
    const [first] = await claim(db(), { most: 1, seen });
    await db().query("UPDATE deliveries SET next_attempt_at = now(), leased_until = NULL, lease = NULL");
    await seedDeliveries(db(), await seedChannels(db(), { accountId, urls: hosts(1, "z") }), 1);
    const waiting = async () => await db().query("SELECT id FROM deliveries WHERE waits AND lease IS NULL");
    expect(await claim(db(), { most: 1, seen })).toHaveLength(1);
    expect(seen.someWaited).toBe(true);
    expect(await waiting()).toEqual([{ id: first?.id }]);
    expect(await claim(db(), { most: 1, seen })).toMatchObject([{ id: first?.id, attempt: 2 }]);
    expect(seen.someWaited).toBe(false);
  });

  it("an outcome after that, and a retry that is taken back, leave what is due later out of the way again", async () => {
    await seedDeliveries(db(), [channel], 1);
    const [claimed] = await claim(db(), { most: 1 });
    if (!claimed) throw new Error("nothing was claimed");
    await db().query("UPDATE deliveries SET waits = false");
    await storeOutcomes(db(), [outcome(claimed, "again")], () => 0.5);
    const inTheWay = () => db().query("SELECT id FROM deliveries WHERE state = 'pending' AND NOT waits");
    expect(await inTheWay()).toEqual([]);
    await run(db().query, makeDue, [[claimed.id], null, "rpl_1", "-infinity", "infinity"]);
    expect(await inTheWay()).toEqual([{ id: claimed.id }]);
    await run(db().query, takeBackDelivery, [claimed.id]);
    expect(await inTheWay()).toEqual([]);
  });

  it("what the version before has claimed is not claimed before its time", async () => {
    await seedDeliveries(db(), [channel], 1);
    await db().query("UPDATE deliveries SET next_attempt_at = now() + interval '1 hour'"); // it does not say that it waits
    expect(await claim(db(), { most: 10 })).toEqual([]);
    await db().query("UPDATE deliveries SET next_attempt_at = now()");
    expect(await claim(db(), { most: 10 })).toHaveLength(1);
  });

  it("what is deleted row by row is looked for in no day that is kept", async () => {
    const found = await touched(db().query, dropDeliveries.text, [new Date(later(-30)), 1]);
    expect(found.filter((name) => name.startsWith("deliveries"))).toEqual(["deliveries_queue", "deliveries_rest"]);
  });

  it("a change that joins a pending one looks for its last attempt in no day before it", async () => {
    const [id = ""] = await seedDeliveries(db(), [channel], 1);
    const plan = await db().query<{ "QUERY PLAN": string }>(
      `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${joinPending.text}`,
      [JSON.stringify([{ id, since: new Date(now).toISOString() }]), null, "-infinity"],
    );
    const read = plan.map((line) => line["QUERY PLAN"]).filter((line) => / on attempts_\w+ .*actual/.test(line));
    const names = read.map((line) => / on (attempts_\w+)/.exec(line)?.[1] ?? "");
    expect(names).toContain(dayName("attempts", now));
    expect(names.filter((name) => name < dayName("attempts", later(-1)))).toEqual([]);
  });
});
