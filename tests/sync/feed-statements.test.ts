import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { calendar, feedServer, subscriber } from "./feed-person";
import { vevent } from "./world";

const server = feedServer();

/** The statements that are sent until the running test is over. */
function sentStatements(): () => number {
  const { query } = pg.Client.prototype;
  let sent = 0;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    sent += 1;
    return (query as (...given: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  onTestFinished(() => {
    pg.Client.prototype.query = query;
  });
  return () => {
    const count = sent;
    sent = 0;
    return count;
  };
}

it("what a read costs follows from what has changed, not from how much there is", async () => {
  const sent = sentStatements();
  const costs = async (most: number) => {
    const rest = Array.from({ length: most }, (_, n) => vevent(`e${n}`));
    const events = (titleOfFirst: string) => calendar(vevent("first", [`SUMMARY:${titleOfFirst}`]), ...rest);
    const person = await subscriber(server(), events("one"));
    await person.sync();
    // On a busy machine a lease is renewed meanwhile: the least of three is what the read itself costs.
    const least = async (prepare: (turn: number) => void) => {
      const counts: number[] = [];
      for (const turn of [1, 2, 3]) {
        prepare(turn);
        sent();
        await person.sync();
        counts.push(sent());
      }
      return Math.min(...counts);
    };
    const unchanged = await least(() => {});
    const restamped = await least((turn) =>
      person.put(events("one").replaceAll("DTSTAMP:20260101", `DTSTAMP:2026020${turn}`)),
    );
    return { unchanged, restamped, oneChanged: await least((turn) => person.put(events(`title ${turn}`))) };
  };
  const [few, many] = [await costs(10), await costs(1_000)];
  expect([many.unchanged, many.restamped]).toEqual([few.unchanged, few.unchanged]);
  expect(many.unchanged).toBeLessThanOrEqual(21);
  // What is known of them is looked up 200 at a time.
  expect(many.oneChanged - few.oneChanged).toBe(5);
  expect(many.oneChanged).toBeLessThanOrEqual(41);
});
