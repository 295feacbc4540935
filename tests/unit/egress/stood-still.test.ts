import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { closeEgress } from "@/server/egress/pool";
import { send } from "@/server/egress/send";

const DEADLINE_MS = 300;
const ANSWER_AFTER_MS = 50;
/** What is late by that much is given a second more, in which a busy machine answers. */
const LATE_MS = 1_500;

afterEach(() => closeEgress());

/** A receiver in a thread of its own, which goes on while this one stands still. It says when it has a request. */
async function receiver(answers: boolean) {
  const code = `
    const { parentPort } = require("node:worker_threads");
    const server = require("node:http").createServer((request, response) => {
      parentPort.postMessage("asked");
      if (${answers}) setTimeout(() => response.end("ok"), ${ANSWER_AFTER_MS});
    });
    server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`;
  const thread = new Worker(code, { eval: true });
  onTestFinished(async () => void (await thread.terminate()));
  const [port] = await once(thread, "message");
  return { origin: `http://127.0.0.1:${port}`, asked: once(thread, "message") };
}

const post = (origin: string) =>
  send({ url: origin, method: "POST", headers: {}, deadlineMs: DEADLINE_MS, allowedOrigins: [origin] });

/** The event loop of this process does nothing until long after the deadline. */
function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, DEADLINE_MS + LATE_MS);
}

it("an answer that came while this process stood still until after the deadline is an answer", async () => {
  const { origin, asked } = await receiver(true);
  const outcome = post(origin);
  await asked;
  standStill();
  expect(await outcome).toMatchObject({ kind: "answered", status: 200, body: Buffer.from("ok") });
});

it("a connection that was made in that time carries the request", async () => {
  const { origin, asked } = await receiver(true);
  const outcome = post(origin);
  standStill();
  expect(await outcome).toMatchObject({ kind: "answered", status: 200 });
  await asked;
});

it("a receiver that is silent has timed out all the same", async () => {
  const { origin, asked } = await receiver(false);
  const outcome = post(origin);
  await asked;
  standStill();
  expect(await outcome).toMatchObject({ kind: "failed", errorClass: "timeout" });
});
