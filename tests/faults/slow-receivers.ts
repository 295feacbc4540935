import { type Cruel, cruelties, startCruel } from "@/tests/faults/hostile";
import { openChannel } from "@/tests/rig/client";
import { seconds } from "@/tests/rig/durations";
import { type Field, inField } from "@/tests/rig/field";
import { megabytesOf } from "@/tests/rig/processor-time";
import { startReceivers } from "@/tests/rig/receivers";
import type { Row } from "@/tests/rig/results";
import type { Service } from "@/tests/rig/service";
import { passed, until } from "@/tests/rig/until";

const AT_ONCE = 200;
const WARM_UP_EACH = 20;
const SAMPLE_MS = 50;
const SETTLING_MS = 3_000;
/** How long one attempt may take, whatever the receiver does, and what 200 at once may add to the memory. */
const LIMIT_MS = 5_500;
const LIMIT_MB = 20;
const PATIENCE_MS = 60_000;

/** 200 receivers at once, kind by kind, that do all but answer properly. */
export async function slowReceivers(): Promise<Row[]> {
  const warm = await startReceivers(AT_ONCE);
  const kinds = await Promise.all(
    Object.entries(cruelties).map(async ([name, cruelty]) => ({ name, cruel: await startCruel(AT_ONCE, cruelty) })),
  );
  const origins = [warm, ...kinds.map(({ cruel }) => cruel)].flatMap((receivers) => receivers.origins);
  try {
    return await inField({ origins }, async (field) => {
      const service = await field.launch();
      const origin = await service.ready();
      const wakers = await field.newAccount();
      const wake = async () => void (await openChannel(origin, wakers, warm.urls[0] ?? ""));
      await field.deliveries(await field.channels(warm.urls), WARM_UP_EACH);
      await wake();
      await until(async () => (await field.pending()) === 0, { within: PATIENCE_MS, what: "the warm-up's end" });
      const rows: Row[] = [];
      for (const kind of kinds) rows.push(...(await suffer({ field, service, wake }, kind)));
      return rows;
    });
  } finally {
    await Promise.all([warm, ...kinds.map(({ cruel }) => cruel)].map((receivers) => receivers.close()));
  }
}

async function suffer(
  { field, service, wake }: { field: Field; service: Service; wake: () => Promise<void> },
  { name, cruel }: { name: string; cruel: Cruel },
): Promise<Row[]> {
  const channels = await field.channels(cruel.urls);
  const watch = watchMemory(service);
  await passed(SETTLING_MS); // the memory before is the most of these seconds
  const before = watch.most();
  await field.deliveries(channels, 1);
  await wake();
  const attempted = () => attempts(field, channels);
  await until(async () => (await attempted()).length === AT_ONCE && cruel.open() === 0, {
    within: PATIENCE_MS,
    what: `the end of ${AT_ONCE} attempts at ${name}`,
  });
  const grown = watch.end() - before;
  await field.db.query("UPDATE deliveries SET state = 'cancelled', next_attempt_at = NULL WHERE state = 'pending'");
  const longest = Math.max(...(await attempted()).map(({ ms }) => ms), ...cruel.lasted);
  return [
    {
      what: `${AT_ONCE} × ${name}: longest attempt`,
      measured: seconds(longest),
      limit: seconds(LIMIT_MS),
      ok: longest <= LIMIT_MS,
    },
    {
      what: `${AT_ONCE} × ${name}: memory growth`,
      measured: `${grown.toFixed(1)} MB on ${before.toFixed(0)}`,
      limit: `${LIMIT_MB} MB`,
      ok: grown <= LIMIT_MB,
    },
  ];
}

async function attempts({ db }: Field, channels: readonly string[]): Promise<{ ms: number }[]> {
  return await db.query<{ ms: number }>(
    "SELECT a.duration_ms AS ms FROM attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.channel_id = ANY ($1)",
    [channels],
  );
}

function watchMemory(service: Service) {
  let most = megabytesOf(service.child.pid ?? 0);
  const look = () => {
    most = Math.max(most, megabytesOf(service.child.pid ?? 0));
    return most;
  };
  const timer = setInterval(look, SAMPLE_MS);
  return {
    most: look,
    end: () => {
      clearInterval(timer);
      return look();
    },
  };
}
