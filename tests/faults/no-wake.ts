import { openChannel } from "@/tests/rig/client";
import { seconds } from "@/tests/rig/durations";
import { type Field, inField } from "@/tests/rig/field";
import { type Receivers, startReceivers } from "@/tests/rig/receivers";
import type { Row } from "@/tests/rig/results";
import { passed, until } from "@/tests/rig/until";

/** By when a delivery is attempted whose wake-up was lost. */
const LIMIT_MS = 15_000;
const PATIENCE_MS = 60_000;
const ROUNDS = 3;
const KILLS = 20;
const LATEST_KILL_MS = 6;

/** Nobody is woken: rows of another process, and a process that dies between its commit and its wake-up. */
export async function noWake(): Promise<Row[]> {
  const receivers = await startReceivers(2);
  try {
    return await inField(receivers, async (field) => [
      ...(await writtenByOthers(field, receivers)),
      ...(await killedAfterCommit(field, receivers)),
    ]);
  } finally {
    await receivers.close();
  }
}

async function writtenByOthers(field: Field, { urls, posts }: Receivers): Promise<Row[]> {
  const [channel = ""] = await field.channels(urls.slice(0, 1));
  const service = await field.launch();
  await service.ready();
  const waits = { signal: [] as number[], delivery: [] as number[] };
  const wait = async (write: () => Promise<unknown>) => {
    const before = posts.length;
    const began = Date.now();
    await write();
    await until(() => posts.length > before, { within: PATIENCE_MS, what: "a notification that nobody woke for" });
    return (posts[before]?.at ?? 0) - began;
  };
  for (let round = 0; round < ROUNDS; round++) {
    waits.signal.push(
      await wait(() =>
        field.db.query("INSERT INTO outbox (kind, account_id, subject) VALUES ('verification', $1, $2)", [
          field.account.accountId,
          channel,
        ]),
      ),
    );
    waits.delivery.push(await wait(() => field.deliveries([channel], 1)));
  }
  await service.end("SIGKILL");
  return [
    rowOf("no wake-up: signal from another process, longest time to the first attempt", waits.signal),
    rowOf("no wake-up: delivery from another process, longest time to the first attempt", waits.delivery),
  ];
}

async function killedAfterCommit(field: Field, { urls, posts }: Receivers): Promise<Row[]> {
  const [, url = ""] = urls;
  const waits: number[] = [];
  let late = 0;
  let doubled = 0;
  let service = await field.launch();
  let origin = await service.ready();
  for (let kill = 0; kill < KILLS; kill++) {
    const channel = await openChannel(origin, field.account, url);
    await passed(Math.random() * LATEST_KILL_MS);
    await service.end("SIGKILL");
    const isHere = () => posts.some(({ channelId }) => channelId === channel);
    if (!isHere()) late += 1;
    service = await field.launch();
    origin = await service.ready();
    const readyAt = Date.now();
    await until(isHere, { within: PATIENCE_MS, what: "the verification of a channel whose opener was killed" });
    const got = posts.filter(({ channelId }) => channelId === channel);
    waits.push(Math.max(0, (got[0]?.at ?? 0) - readyAt));
    doubled += got.length - 1;
  }
  await service.end("SIGKILL");
  const missed = `${late} of ${KILLS} had not been sent when the process died; ${doubled} duplicated`;
  return [
    rowOf("kill -9 after POST /v1/channels returned 200: longest time from ready to the verification", waits, missed),
  ];
}

function rowOf(what: string, waits: readonly number[], note?: string): Row {
  const longest = Math.max(...waits);
  const measured = note ? `${seconds(longest)} (${note})` : seconds(longest);
  return { what, measured, limit: `${LIMIT_MS / 1000} s`, ok: longest <= LIMIT_MS };
}
