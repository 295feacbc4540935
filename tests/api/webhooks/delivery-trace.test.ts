import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import type { SpanInput, Tracing } from "@/server/tracing";
import { fakeClock } from "../../fakes/clock";
import { type Receiver, startReceiver } from "../../fakes/receiver";
import { ownDatabase } from "../own-database";
import { type Opened, openCalendar } from "../service";
import { openChannel, theyWrite, work } from "./world";

const SPANS = ["1", "2", "3"].map((digit) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`);

let receiver: Receiver;
let begun: SpanInput[];
/** The span that everything runs in at the moment. */
let current: string | null;

beforeAll(async () => {
  receiver = await startReceiver();
});
ownDatabase(() => ({ CALLBACK_ALLOWED_ORIGINS: receiver.origin }));
afterAll(() => receiver.close());
beforeEach(() => {
  begun = [];
  current = null;
  const span = { rename: () => {}, set: () => {}, fail: () => {} };
  const tracing: Tracing = {
    within: (input, work) => {
      begun.push(input);
      return work(span);
    },
    leaf: () => null,
    current: () => current,
    outside: (work) => work(),
  };
  context.tracing = tracing;
});
afterEach(() => {
  context.tracing = undefined;
});

const attempts = () => begun.filter(({ name }) => name === "POST webhook");

/** An open channel whose verification is delivered. */
async function verified(filters?: object): Promise<Opened> {
  const opened = await openCalendar();
  await openChannel(opened, receiver.url(), filters);
  await work();
  begun = [];
  return opened;
}

async function changes(opened: Opened, spans: readonly (string | null)[]): Promise<void> {
  for (const [at, span] of spans.entries()) {
    current = span;
    await theyWrite(opened, `event-${at}`);
  }
  current = null;
}

describe("the attempt of a delivery", () => {
  it("is below the first of the changes that caused it, and linked to the others", async () => {
    const clock = fakeClock();
    const opened = await verified();
    await changes(opened, [SPANS[0] ?? null, null, SPANS[1] ?? null, SPANS[1] ?? null, SPANS[2] ?? null]);
    await clock.advance(2_000);
    await work();
    expect(attempts()).toHaveLength(1);
    expect(attempts()[0]).toMatchObject({ parent: SPANS[0], links: SPANS.slice(1), kind: "client" });
  });

  it("has nothing above it where nobody traced the change", async () => {
    const clock = fakeClock();
    const opened = await verified();
    await changes(opened, [null]);
    await clock.advance(2_000);
    await work();
    expect(attempts()).toMatchObject([{ parent: null, links: [] }]);
  });

  it("knows nothing of changes that its channel is not notified of", async () => {
    const clock = fakeClock();
    const opened = await verified({ only_managed: true });
    await changes(opened, [SPANS[0] ?? null]);
    await clock.advance(2_000);
    await work();
    expect(attempts()).toEqual([]);
  });

  it("is below the request that opened its channel, of a verification", async () => {
    current = SPANS[0] ?? null;
    const opened = await openCalendar();
    await openChannel(opened, receiver.url());
    current = null;
    await work();
    expect(attempts()).toMatchObject([{ parent: SPANS[0], links: [] }]);
  });
});

it("nothing is stored with a delivery where nobody traces", async () => {
  context.tracing = undefined;
  await verified();
  const stored = await db().prisma.delivery.findMany({ select: { trace: true } });
  expect(stored.filter(({ trace }) => trace !== null).length).toBeLessThan(stored.length);
  const [last] = await db().prisma.delivery.findMany({
    orderBy: { createdAt: "desc" },
    take: 1,
    select: { trace: true },
  });
  expect(last).toEqual({ trace: null });
});
