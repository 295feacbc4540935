import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { openChannel } from "@/tests/faults/client";
import { inField, type Row } from "@/tests/faults/field";
import { startReceivers } from "@/tests/faults/receivers";
import { seconds, until } from "@/tests/faults/until";

const LIMIT_MS = 15_000;
/** What the API may take longer without Inngest (reliability.md §6). */
const ANSWER_LIMIT_MS = 60;
const PATIENCE_MS = 60_000;
const CHANNELS = 3;

/** Inngest is configured and nobody listens there: notifications come by the sweep. */
export async function inngestAway(): Promise<Row[]> {
  const receivers = await startReceivers(1);
  const [url = ""] = receivers.urls;
  try {
    return await inField(receivers, async (field) => {
      const service = field.launch({
        INNGEST_BASE_URL: `http://127.0.0.1:${await closedPort()}`,
        INNGEST_EVENT_KEY: "test",
        INNGEST_SIGNING_KEY: `signkey-test-${randomBytes(32).toString("hex")}`,
      });
      const origin = await service.ready();
      await openChannel(origin, field.account, url); // the first request of a process takes longer
      const waits: number[] = [];
      const answers: number[] = [];
      for (let i = 0; i < CHANNELS; i++) {
        const began = Date.now();
        const channel = await openChannel(origin, field.account, url);
        answers.push(Date.now() - began);
        const find = () => receivers.posts.find(({ channelId }) => channelId === channel);
        await until(() => find() !== undefined, { within: PATIENCE_MS, what: "a verification without Inngest" });
        waits.push((find()?.at ?? 0) - began);
      }
      const [wait, answer] = [Math.max(...waits), Math.max(...answers)];
      return [
        {
          fault: "Inngest down: longest time from POST /v1/channels to the verification",
          measured: seconds(wait),
          limit: `${LIMIT_MS / 1000} s`,
          ok: wait <= LIMIT_MS,
        },
        {
          fault: "Inngest down: slowest response of POST /v1/channels",
          measured: `${answer} ms`,
          limit: `${ANSWER_LIMIT_MS} ms`,
          ok: answer <= ANSWER_LIMIT_MS,
        },
      ];
    });
  } finally {
    await receivers.close();
  }
}

async function closedPort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}
