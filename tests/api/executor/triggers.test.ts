import { describe, expect, it } from "vitest";
import { BATCH } from "@/server/db/batches";
import { db } from "@/server/db/client";
import { fakeClock } from "../../fakes/clock";
import { openApp, runsOf } from "./app";

describe("events", () => {
  it("an event with the id of one of the last 24 hours is not run again; after that it is", async () => {
    const clock = fakeClock();
    let runs = 0;
    const app = openApp((client) => [
      client.createFunction({ id: "counts", triggers: [{ event: "a/b" }] }, async () => ++runs),
    ]);
    await app.send("a/b", {}, { id: "same" });
    await app.send("a/b", {}, { id: "same" });
    await app.client.send([1, 2].map((n) => ({ name: "a/b", data: { n }, id: "same" })));
    await app.executor.settle();
    expect(runs).toBe(1);
    clock.advance(86_400_000);
    await app.send("a/b", {}, { id: "same" });
    await app.executor.settle();
    expect(runs).toBe(2);
  });

  it("what the SDK sends again after an unclear answer is one event", async () => {
    let runs = 0;
    const app = openApp((client) => [
      client.createFunction({ id: "counts", triggers: [{ event: "a/b" }] }, async () => ++runs),
    ]);
    const post = () =>
      app.executor.receive(
        new Request("http://executor.invalid/e/test", {
          method: "POST",
          headers: { "x-inngest-event-id-seed": "1700000000000,c2VlZA==" },
          body: JSON.stringify([1, 2].map((n) => ({ name: "a/b", data: { n }, ts: 1_700_000_000_000 }))),
        }),
      );
    const answers = await Promise.all([post(), post()]);
    const [first, second] = await Promise.all(answers.map((answer) => answer.json()));
    expect(first).toEqual({ ids: [expect.any(String), expect.any(String)], status: 200 });
    expect(second).toEqual(first);
    await app.executor.settle();
    expect(runs).toBe(2);
  });

  it.each([
    ["no body", ""],
    ["no name", "{}"],
    ["a name that is the SDK's own", '{"name":"inngest/function.failed","ts":1}'],
    ["a list with something else", '[{"name":"a/b","ts":1},7]'],
  ])("%s is answered with 400 and stores nothing", async (_, body) => {
    const app = openApp((client) => [
      client.createFunction({ id: "takes", triggers: [{ event: "a/b" }] }, async () => undefined),
    ]);
    const request = new Request("http://executor.invalid/e/test", { method: "POST", body });
    expect((await app.executor.receive(request)).status).toBe(400);
    expect(await runsOf(app)).toEqual([]);
  });

  it("everything but events is answered with 404", async () => {
    const app = openApp((client) => [
      client.createFunction({ id: "takes", triggers: [{ event: "a/b" }] }, async () => undefined),
    ]);
    const request = new Request("http://executor.invalid/fn/register", { method: "POST", body: "{}" });
    expect((await app.executor.receive(request)).status).toBe(404);
  });

  it("an event with a time to come is run then; one of two functions that take it does not hold up the other", async () => {
    const clock = fakeClock();
    const seen: string[] = [];
    const app = openApp((client) =>
      ["first", "second"].map((id) =>
        client.createFunction({ id, triggers: [{ event: "a/b" }, { event: "a/c" }] }, async ({ event }) => {
          seen.push(`${id} ${event.name}`);
        }),
      ),
    );
    await app.send("a/b", {}, { ts: clock.now() + 60_000 });
    await app.send("a/c", {}, { ts: clock.now() - 60_000 });
    await app.executor.settle();
    expect(seen.toSorted()).toEqual(["first a/c", "second a/c"]);
    clock.advance(59_999);
    await app.executor.settle();
    expect(seen).toHaveLength(2);
    clock.advance(1);
    await app.executor.settle();
    expect(seen.toSorted()).toEqual(["first a/b", "first a/c", "second a/b", "second a/c"]);
  });
});

describe("cron", () => {
  const hourly = () => {
    const clock = fakeClock(Date.parse("2026-03-01T10:30:00Z"));
    const ticks: number[] = [];
    const app = openApp((client) => [
      client.createFunction({ id: "hourly", triggers: [{ cron: "0 * * * *" }] }, async ({ event }) => {
        expect(event).toMatchObject({ name: "inngest/scheduled.timer", data: { cron: "0 * * * *" } });
        ticks.push(clock.now());
      }),
    ]);
    return { clock, ticks, app };
  };

  it("ticks at its times and not before", async () => {
    const { clock, ticks, app } = hourly();
    await app.executor.settle();
    expect(ticks).toEqual([]);
    for (let i = 0; i < 2; i++) {
      clock.advance(1_800_000);
      await app.executor.settle();
      await app.executor.settle();
    }
    clock.advance(1_800_000);
    await app.executor.settle();
    expect(ticks).toEqual([Date.parse("2026-03-01T11:00:00Z"), Date.parse("2026-03-01T12:00:00Z")]);
  });

  it("a tick fires once, whichever process begins or ends; missed ones are made up for by one", async () => {
    const { clock, ticks, app } = hourly();
    await app.executor.settle();
    await app.executor.stop();
    const [second, third] = [app.another(), app.another()];
    clock.advance(5 * 3_600_000);
    await Promise.all([second.executor.settle(), third.executor.settle()]);
    expect(ticks).toHaveLength(1);
    clock.advance(1_800_000);
    await Promise.all([second.executor.settle(), third.executor.settle()]);
    expect(ticks).toHaveLength(2);
  });

  it("one that the functions no longer have is forgotten", async () => {
    const { clock, ticks, app } = hourly();
    await app.executor.settle();
    const later = app.another((client) => [
      client.createFunction({ id: "hourly", triggers: [{ cron: "0 0 1 1 *" }] }, async () => undefined),
    ]);
    clock.advance(3_600_000);
    await later.executor.settle();
    expect(ticks).toEqual([]);
    const crons = await db().prisma.backgroundCron.findMany({ where: { appId: app.id } });
    expect(crons).toMatchObject([{ cron: "0 0 1 1 *" }]);
  });
});

describe("what is no longer needed", () => {
  it("is dropped: events and finished runs after a day, failed ones after a week", async () => {
    const clock = fakeClock();
    const app = openApp((client) => [
      client.createFunction({ id: "ends", triggers: [{ event: "a/b" }] }, async () => undefined),
      client.createFunction({ id: "fails", retries: 0, triggers: [{ event: "a/b" }] }, async ({ step }) => {
        await step.run("good", () => 1);
        await step.run("bad", () => {
          throw new Error("bad");
        });
      }),
    ]);
    const kept = async () => {
      await app.executor.settle();
      const n = await db().prisma.backgroundEvent.count({ where: { appId: app.id } });
      return [n, (await runsOf(app)).map(({ functionId }) => functionId.slice(app.id.length + 1)).sort()];
    };
    await app.send("a/b");
    expect(await kept()).toEqual([1, ["ends", "fails"]]);
    // More than go in one statement, as old as the one that was sent.
    await db().query(
      `INSERT INTO background_events (app_id, id, received_at)
SELECT app_id, 'old ' || n, received_at FROM background_events, generate_series(1, $2) n WHERE app_id = $1`,
      [app.id, BATCH],
    );
    expect(await kept()).toEqual([1 + BATCH, ["ends", "fails"]]);
    clock.advance(86_400_000);
    expect(await kept()).toEqual([0, ["fails"]]);
    clock.advance(6 * 86_400_000);
    expect(await kept()).toEqual([0, []]);
  });

  it("as are, after a week, runs of functions that are no more; until then they wait for their function", async () => {
    const clock = fakeClock();
    const seen: string[] = [];
    const make = (id: string) => (client: Parameters<Parameters<typeof openApp>[0]>[0]) => [
      client.createFunction({ id, triggers: [{ event: "a/b" }] }, async () => seen.push(id)),
    ];
    const app = openApp(make("old"));
    await app.send("a/b");
    await app.another(make("new")).executor.settle();
    expect(await runsOf(app)).toMatchObject([{ state: "open" }]);
    clock.advance(7 * 86_400_000);
    await app.another(make("new")).executor.settle();
    expect(await runsOf(app)).toEqual([]);
    expect(seen).toEqual([]);
  });
});
