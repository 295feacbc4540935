import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { openChannel } from "@/tests/rig/client";
import { percentile, seconds } from "@/tests/rig/durations";
import { type Field, inField } from "@/tests/rig/field";
import { type Receivers, startReceivers } from "@/tests/rig/receivers";
import type { Row } from "@/tests/rig/results";
import { until } from "@/tests/rig/until";

/** Nothing is found by sweeping that early. */
const LIMIT_MS = 2_000;
/** 15 s without a run, and the look that finds out. */
const NOTICED_MS = 20_000;
/** What the API may take longer without Inngest. */
const ANSWER_LIMIT_MS = 60;
const PATIENCE_MS = 60_000;
const CHANNELS = 10;
const SLOW_MS = 10_000;

/** Inngest is configured, and nobody listens there, or it takes long to respond: workers do the work themselves, woken by a web process. */
export async function inngestAway(): Promise<Row[]> {
  const receivers = await startReceivers(1);
  const slow = await startSlow();
  try {
    return await inField(receivers, async (field) => [
      ...(await measured("down", { field, receivers, port: await closedPort() })),
      ...(await measured(`responds after ${SLOW_MS / 1_000} s`, { field, receivers, port: slow.port })),
    ]);
  } finally {
    slow.close();
    await receivers.close();
  }
}

interface Given {
  field: Field;
  receivers: Receivers;
  port: number;
}

async function measured(how: string, { field, receivers, port }: Given): Promise<Row[]> {
  const [url = ""] = receivers.urls;
  const env = {
    INNGEST_BASE_URL: `http://127.0.0.1:${port}`,
    INNGEST_EVENT_KEY: "test",
    INNGEST_SIGNING_KEY: `signkey-test-${randomBytes(32).toString("hex")}`,
  };
  const [web, worker] = await Promise.all(
    ["web", "worker"].map((role) => field.launch({ ALMANAC_ROLE: role, ...env })),
  );
  if (!web || !worker) throw new Error("there are two processes");
  const [origin] = [await web.ready(), await worker.ready()];
  const waits: number[] = [];
  const answers: number[] = [];
  for (let i = 0; i <= CHANNELS; i++) {
    const began = Date.now();
    const channel = await openChannel(origin, field.account, url);
    answers.push(Date.now() - began);
    const find = () => receivers.posts.find(({ channelId }) => channelId === channel);
    await until(() => find() !== undefined, { within: PATIENCE_MS, what: "a verification without Inngest" });
    waits.push((find()?.at ?? 0) - began);
  }
  const first = waits.shift() ?? 0;
  answers.shift(); // the first request of a process takes longer
  await Promise.all([web.end("SIGKILL"), worker.end("SIGKILL")]);
  const [wait, answer] = [Math.max(...waits), Math.max(...answers)];
  return [
    {
      what: `Inngest ${how}: until a worker does the work itself`,
      measured: seconds(first),
      limit: `${NOTICED_MS / 1_000} s`,
      ok: first <= NOTICED_MS,
    },
    {
      what: `Inngest ${how}: from then on, from POST /v1/channels at a web process to the verification by a worker, ${CHANNELS} times`,
      measured: `p50 ${seconds(percentile(waits, 0.5))}, longest ${seconds(wait)}`,
      limit: `${LIMIT_MS / 1000} s`,
      ok: wait <= LIMIT_MS,
    },
    {
      what: `Inngest ${how}: slowest response of POST /v1/channels`,
      measured: `${answer} ms`,
      limit: `${ANSWER_LIMIT_MS} ms`,
      ok: answer <= ANSWER_LIMIT_MS,
    },
  ];
}

/** Accepts everything, and says so late. */
async function startSlow(): Promise<{ port: number; close(): void }> {
  const answer = JSON.stringify({ ok: true, modified: true, ids: ["01"], status: 200 });
  const server = createHttpServer((request, response) => {
    request.resume();
    setTimeout(() => response.setHeader("content-type", "application/json").end(answer), SLOW_MS).unref();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

async function closedPort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}
