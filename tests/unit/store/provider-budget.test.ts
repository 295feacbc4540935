import fc from "fast-check";
import { expect, it } from "vitest";
import { allowance } from "@/server/domain/provider-quotas";
import { type Lane, type ProviderBudget, providerBudget } from "@/server/store/mailboxes/provider-budget";
import { type FakeClock, fakeClock } from "../../fakes/clock";

/** The budget in the database, as provider-budgets.sql.ts keeps it, with the processes that share it. */
function sharedBudget(clock: FakeClock, perMinute: number) {
  let stored = { level: allowance(perMinute, 1).burst, at: clock.now() };
  let share = 1;
  let closedUntil = 0;
  const take = (spent: number) => {
    const { burst, perSecond } = allowance(perMinute, share);
    const came = ((clock.now() - stored.at) / 1_000) * perSecond;
    stored = { level: Math.max(-perMinute, Math.min(burst, stored.level + came)) - spent, at: clock.now() };
    return { level: stored.level, share, closedMs: Math.max(0, closedUntil - clock.now()) };
  };
  const process = (): ProviderBudget =>
    providerBudget({
      perMinute,
      settle: async (spent) => take(spent),
      wait: async () => {},
      cut: async () => {
        const { level } = take(0);
        stored.level = Math.min(0, level);
        share /= 2;
        return take(0);
      },
    });
  return {
    process,
    level: () => take(0).level,
    close: (ms: number) => {
      closedUntil = clock.now() + ms;
    },
  };
}

interface Application {
  id: string;
  /** Pieces of work that come in each second. */
  perSecond: number;
  lane: Lane;
  /** Requests of each. */
  cost: number;
}

/**
 * Runs processes that begin the work that is due, as the claims of the database choose it: of the application first that has had the
 * least. Returns the requests of each application, and the most that were sent within any minute.
 */
async function simulated(input: {
  perMinute: number;
  processes: number;
  seconds: number;
  applications: Application[];
}) {
  const clock = fakeClock();
  const shared = sharedBudget(clock, input.perMinute);
  const processes = Array.from({ length: input.processes }, shared.process);
  const due = new Map(input.applications.map(({ id }) => [id, 0]));
  const sent = new Map(input.applications.map(({ id }) => [id, 0]));
  const seconds: number[] = [];
  for (let second = 0; second < input.seconds; second += 1) {
    for (const { id, perSecond } of input.applications) due.set(id, (due.get(id) ?? 0) + perSecond);
    let now = 0;
    for (const budget of processes) {
      for (const lane of ["write", "sync", "first_sync"] as const) {
        await budget.refresh();
        const { pieces, used } = budget.room(lane);
        for (let begun = 0; begun < pieces; begun += 1) {
          const [next] = input.applications
            .filter((one) => one.lane === lane && (due.get(one.id) ?? 0) >= 1)
            .sort((a, b) => (used.get(a.id) ?? 0) - (used.get(b.id) ?? 0));
          if (!next) break;
          due.set(next.id, (due.get(next.id) ?? 0) - 1);
          used.set(next.id, (used.get(next.id) ?? 0) + 1);
          const spending = budget.begin(lane, next.id);
          for (let n = 0; n < next.cost; n += 1) await spending.spend(1);
          spending.end();
          sent.set(next.id, (sent.get(next.id) ?? 0) + next.cost);
          now += next.cost;
        }
      }
    }
    seconds.push(now);
    clock.advance(1_000);
  }
  const minutes = seconds.map((_, at) => seconds.slice(at, at + 60).reduce((sum, one) => sum + one, 0));
  const total = seconds.reduce((sum, one) => sum + one, 0);
  return {
    total,
    sent: (id: string) => sent.get(id) ?? 0,
    most: Math.max(...minutes),
    left: (id: string) => due.get(id) ?? 0,
  };
}

const app = (id: string, perSecond: number, more: Partial<Application> = {}): Application => ({
  ...{ id, perSecond, lane: "sync", cost: 2 },
  ...more,
});

it("a small application has all it asks for beside one that asks for a hundred times as much", async () => {
  const applications = [app("large", 50), app("small", 0.5)];
  const { sent, left } = await simulated({ perMinute: 600, processes: 2, seconds: 300, applications });
  expect(left("small")).toBeLessThanOrEqual(2);
  expect(sent("large") + sent("small")).toBeGreaterThan(0.85 * 600 * 5);
});

it("two that ask for too much get as much as one another, and one alone gets all", async () => {
  const both = await simulated({
    ...{ perMinute: 600, processes: 3, seconds: 300 },
    applications: [app("one", 50), app("other", 20)],
  });
  expect(both.sent("one") / both.sent("other")).toBeCloseTo(1, 1);
  const alone = await simulated({ perMinute: 600, processes: 3, seconds: 300, applications: [app("one", 50)] });
  expect(alone.sent("one")).toBeGreaterThan(0.85 * 600 * 5);
});

it("first syncs take what the others leave, and still begin when these leave nothing", async () => {
  const first = app("first", 5, { lane: "first_sync", cost: 8 });
  const busy = await simulated({ perMinute: 600, processes: 1, seconds: 300, applications: [app("polls", 50), first] });
  expect(busy.sent("first")).toBeGreaterThanOrEqual(5 * 8 - 8);
  expect(busy.sent("first")).toBeLessThan(0.12 * 600 * 5);
  const idle = await simulated({ perMinute: 600, processes: 1, seconds: 300, applications: [app("polls", 2), first] });
  expect(idle.left("polls")).toBeLessThanOrEqual(4);
  expect(idle.sent("first") + idle.sent("polls")).toBeGreaterThan(0.85 * 600 * 5);
});

it("requests keep to the quota but for what all processes begin at once, and nobody starves", async () => {
  const application = fc.record({
    perSecond: fc.integer({ min: 1, max: 40 }),
    lane: fc.constantFrom<Lane>("write", "sync"),
    cost: fc.integer({ min: 1, max: 6 }),
  });
  const scenes = fc.record({
    perMinute: fc.constantFrom(120, 600, 6_000),
    processes: fc.integer({ min: 1, max: 4 }),
    applications: fc.array(application, { minLength: 1, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(scenes, async ({ applications, ...scene }) => {
      const named = applications.map((one, n) => ({ ...one, id: `app_${n}` }));
      const { most, total, sent, left } = await simulated({ ...scene, seconds: 180, applications: named });
      const { burst, perSecond } = allowance(scene.perMinute, 1);
      // Each process may begin a burst before it hears of the others, of work that costs three times what is expected.
      const ahead = 3 * burst * scene.processes;
      expect(most).toBeLessThanOrEqual(scene.perMinute + ahead);
      expect(total).toBeLessThanOrEqual(perSecond * 180 + burst + ahead);
      for (const lane of ["write", "sync"] as const) {
        const own = named.filter((one) => one.lane === lane);
        // Of those for whom work is left, none has much less than another one.
        const unserved = own.filter(({ id }) => left(id) >= 40).map(({ id, cost }) => sent(id) / cost);
        for (const pieces of unserved) expect(pieces).toBeGreaterThan(0);
      }
    }),
    { numRuns: 30 },
  );
});

it("a refusal of everybody halves the rate, and a time from the provider stops even what is in progress", async () => {
  const clock = fakeClock();
  const shared = sharedBudget(clock, 600);
  const [budget, other] = [shared.process(), shared.process()];
  const working = budget.begin("sync", "app_1");
  await budget.refused();
  expect(budget.room("sync").pieces).toBe(0);
  const { inMs } = budget.room("sync");
  expect(inMs).toBeGreaterThan(0);
  clock.advance(inMs);
  expect(budget.room("sync").pieces).toBeGreaterThan(0);
  await other.refresh();
  expect(other.room("sync").pieces).toBeLessThan(15);
  shared.close(60_000);
  clock.advance(1_000);
  await budget.refresh();
  expect(budget.room("write")).toMatchObject({ pieces: 0, inMs: expect.closeTo(59_000, 3) });
  await expect(working.spend(1)).rejects.toMatchObject({ fault: { kind: "throttled", scope: "application" } });
  clock.advance(60_000);
  await working.spend(1);
});

it("what is asked while somebody waits is never held back, and counts", async () => {
  const clock = fakeClock();
  const shared = sharedBudget(clock, 60);
  const budget = shared.process();
  const asking = budget.begin("now", null);
  for (let n = 0; n < 50; n += 1) await asking.spend(1);
  await budget.refresh();
  expect(budget.room("sync").pieces).toBe(0);
  clock.advance(1_000);
  await budget.refresh();
  expect(shared.level()).toBeLessThan(-40);
});

it("a piece of work that was begun and asked for nothing costs nothing", async () => {
  const clock = fakeClock();
  const shared = sharedBudget(clock, 600);
  const budget = shared.process();
  for (let n = 0; n < 100; n += 1) budget.begin("sync", "app_1").end();
  clock.advance(1_000);
  await budget.refresh();
  expect(shared.level()).toBeCloseTo(allowance(600, 1).burst, 5);
});

it("what could not be settled is settled later", async () => {
  const clock = fakeClock();
  let isAway = true;
  const spent: number[] = [];
  const budget = providerBudget({
    perMinute: 600,
    settle: async (requests) => {
      if (isAway) throw new Error("away");
      spent.push(requests);
      return { level: 60, share: 1, closedMs: 0 };
    },
    cut: async () => ({ level: 0, share: 0.5, closedMs: 0 }),
  });
  const working = budget.begin("sync", "app_1");
  for (let n = 0; n < 5; n += 1) await working.spend(1);
  await expect(budget.refresh()).rejects.toThrow("away");
  isAway = false;
  clock.advance(1_000);
  await budget.refresh();
  expect(spent.reduce((sum, one) => sum + one, 0)).toBe(5);
});
