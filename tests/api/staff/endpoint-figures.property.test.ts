import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { type Outcome, storeOutcomes } from "@/server/webhooks/outcomes";
import { fakeClock } from "../../fakes/clock";
import { addChannels, addDeliveries } from "../../fakes/stored-deliveries";
import { connectAccount } from "../grants";
import { ownDatabase } from "../own-database";
import { newApplication } from "../service";
import { newOperator, type Operator } from "./staff-caller";

ownDatabase();

const NOW = Date.parse("2026-11-21T10:20:00Z");
const HOUR = 3_600_000;
const CHANNELS = 3;
const RUNS = 12;

let staff: Operator;

beforeEach(async () => {
  fakeClock(NOW);
  staff = await newOperator();
});

interface Attempt {
  channel: number;
  status: number | null;
  /** Before now, in ms. */
  age: number;
  durationMs: number;
  /** Of a test event, which says nothing about the endpoint. */
  isTest: boolean;
  /** Its batch comes again, as when the response to it was lost. */
  comesAgain: boolean;
}

const age = fc.oneof(
  fc.integer({ min: 0, max: 30 * HOUR }),
  fc.integer({ min: 24 * HOUR - 2, max: 24 * HOUR + 2 }),
  fc.integer({ min: 30 * HOUR, max: 9 * 24 * HOUR }),
);
const attempt: fc.Arbitrary<Attempt> = fc.record({
  channel: fc.integer({ min: 0, max: CHANNELS - 1 }),
  status: fc.constantFrom(200, 204, 299, 199, 300, 404, 410, 503, null),
  age,
  durationMs: fc.integer({ min: 0, max: 5_000 }),
  isTest: fc.boolean(),
  comesAgain: fc.boolean(),
});
/** Attempts in any order, each at a time of its own, in batches. */
const history = fc
  .tuple(
    fc.uniqueArray(attempt, { selector: (one) => one.age, maxLength: 60, size: "max" }),
    fc.integer({ min: 1, max: 12 }),
  )
  .map(([attempts, size]) =>
    Array.from({ length: Math.ceil(attempts.length / size) }, (_, n) => attempts.slice(n * size, (n + 1) * size)),
  );

const isSuccess = ({ status }: Attempt) => status !== null && status >= 200 && status <= 299;

async function store(channels: readonly string[], batch: readonly Attempt[]): Promise<void> {
  const outcomes: Outcome[] = [];
  for (const one of batch) {
    const channelId = channels[one.channel] ?? "";
    const [id = ""] = await addDeliveries(channelId, [
      { lease: "l", leasedUntil: new Date(NOW), attempts: 1, test: one.isTest },
    ]);
    outcomes.push({
      ...{ id, lease: "l", attempt: 1, scheduled: 1, manual: false, channelId },
      verdict: isSuccess(one) ? "delivered" : "again",
      ...{ status: one.status, errorClass: one.status === null ? "timeout" : null, address: null },
      ...{ startedAt: NOW - one.age, durationMs: one.durationMs, responseHeaders: null, responseBody: null },
    });
  }
  await storeOutcomes(db(), outcomes, () => 0);
  const again = outcomes.filter((_, index) => batch[index]?.comesAgain);
  if (again.length > 0) await storeOutcomes(db(), again, () => 0);
}

/** As PostgreSQL's percentile_disc: the first value that at least this part does not exceed. */
function percentile(values: readonly number[], part: number): number | null {
  return [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * part) - 1)] ?? null;
}

function figuresOf(attempts: readonly Attempt[]) {
  const day = attempts.filter((one) => one.age <= 24 * HOUR);
  const times = day.map(({ durationMs }) => durationMs);
  return {
    successRate24h: day.length === 0 ? null : day.filter(isSuccess).length / day.length,
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
  };
}

function lastOf(attempts: readonly Attempt[]): Attempt | undefined {
  return [...attempts].sort((a, b) => a.age - b.age)[0];
}

const timeOf = (one: Attempt | undefined) => (one ? new Date(NOW - one.age).toISOString() : null);

it("figures of an endpoint are those of all its attempts but tests, in every batch and however often it comes", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (batches) => {
      const { accountId } = await connectAccount(await newApplication());
      const channels = await addChannels(accountId, Array(CHANNELS).fill({}));
      for (const batch of batches) await store(channels, batch);
      const { items } = await staff.api.endpoints.list({ account: accountId, limit: CHANNELS });
      for (const [index, id] of channels.entries()) {
        const own = batches.flat().filter(({ channel, isTest }) => channel === index && !isTest);
        const figures = figuresOf(own);
        const attempts24h = own.filter((one) => one.age <= 24 * HOUR).length;
        const failed = lastOf(own.filter((one) => !isSuccess(one)));
        const lastFailure = failed
          ? { at: timeOf(failed), status: failed.status, error: failed.status === null ? "timeout" : null }
          : null;
        expect(items.find((item) => item.id === id)).toMatchObject({ attempts24h, ...figures, lastFailure });
        const week = own.filter((one) => one.age <= 7 * 24 * HOUR);
        const lastAttemptAt = timeOf(lastOf(week));
        expect(await staff.api.channels.health({ id })).toMatchObject(figures);
        for (const hours of [24, 168] as const) {
          const page = await staff.api.endpoints.get({ id, hours });
          expect(page).toMatchObject({ attempts24h, ...figures, lastFailure, lastAttemptAt, bars: barsOf(own, hours) });
        }
      }
    }),
    { numRuns: RUNS },
  );
}, 300_000);

function barsOf(attempts: readonly Attempt[], hours: number) {
  const first = Math.floor(NOW / HOUR) * HOUR - (hours - 1) * HOUR;
  return Array.from({ length: hours }, (_, n) => {
    const at = first + n * HOUR;
    const own = attempts.filter((one) => NOW - one.age >= at && NOW - one.age < at + HOUR);
    const succeeded = own.filter(isSuccess).length;
    return { at: new Date(at).toISOString(), succeeded, failed: own.length - succeeded };
  });
}
