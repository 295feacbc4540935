import { openChannel } from "@/tests/rig/client";
import { percentile, seconds } from "@/tests/rig/durations";
import { type Field, inField } from "@/tests/rig/field";
import { firstPosts, type Post, startReceivers } from "@/tests/rig/receivers";
import type { Row } from "@/tests/rig/results";
import { passed, until } from "@/tests/rig/until";

const DEAD = 200;
const DUE_EACH = 5;
const HEALTHY = 50;
const HEALTHY_EACH = 20;
const OVER_MS = 10_000;
const TICKS = 50;
const PER_TICK = (HEALTHY * HEALTHY_EACH) / TICKS;
/** How late a healthy receiver's first attempt may be at the 95th percentile beside 200 dead ones. */
const LIMIT_MS = 2_000;
const PATIENCE_MS = 120_000;

/** 200 hosts that accept and never answer, beside 50 healthy ones whose deliveries arrive over ten seconds. */
export async function deadReceivers(): Promise<Row[]> {
  const dead = await startReceivers(DEAD, { isDead: () => true });
  const healthy = await startReceivers(HEALTHY);
  const waker = await startReceivers(1);
  const origins = [dead, healthy, waker].flatMap((receivers) => receivers.origins);
  try {
    return await inField({ origins }, async (field) => {
      const origin = await (await field.launch()).ready();
      const wakers = await field.newAccount();
      const wake = async () => void (await openChannel(origin, wakers, waker.urls[0] ?? ""));
      await wake();
      const channels = await field.channels(healthy.urls);
      await field.deliveries(await field.channels(dead.urls), DUE_EACH);
      await wake();
      const began = Date.now();
      const ids = await arriving(field, { channels, wake });
      const isEach = () => new Set(healthy.posts.map(({ id }) => id)).size === ids.length;
      await until(isEach, { within: PATIENCE_MS, what: "an attempt at every healthy delivery" });
      const delays = await delaysOf(field, { ids, posts: healthy.posts });
      const early = delays.filter(({ createdAt }) => createdAt < began + OVER_MS / 2).map(({ delay }) => delay);
      const late = delays.filter(({ createdAt }) => createdAt >= began + OVER_MS / 2).map(({ delay }) => delay);
      const p95 = percentile(
        delays.map(({ delay }) => delay),
        0.95,
      );
      const note = `first half of the time ${seconds(percentile(early, 0.95))}, second half ${seconds(percentile(late, 0.95))}, ${dead.posts.length} attempts at dead ones`;
      return [
        {
          what: `${DEAD} dead receivers: p95 to the first attempt of ${ids.length} healthy deliveries`,
          measured: `${seconds(p95)} (${note})`,
          limit: seconds(LIMIT_MS),
          ok: p95 <= LIMIT_MS,
        },
      ];
    });
  } finally {
    await Promise.all([dead, healthy, waker].map((receivers) => receivers.close()));
  }
}

/** Deliveries to some healthy channels in each tick, each set followed by a wake-up as its own commit would send it. */
async function arriving(
  { deliveries }: Field,
  { channels, wake }: { channels: readonly string[]; wake: () => Promise<void> },
): Promise<string[]> {
  const ids: string[] = [];
  const began = performance.now();
  for (let tick = 0; tick < TICKS; tick++) {
    const from = (tick * PER_TICK) % channels.length;
    const some = Array.from({ length: PER_TICK }, (_, i) => channels[(from + i) % channels.length] ?? "");
    ids.push(...(await deliveries(some, 1)));
    await wake();
    await passed(Math.max(0, began + ((tick + 1) * OVER_MS) / TICKS - performance.now()));
  }
  return ids;
}

async function delaysOf(
  { db }: Field,
  { ids, posts }: { ids: readonly string[]; posts: readonly Post[] },
): Promise<{ createdAt: number; delay: number }[]> {
  const rows = await db.query<{ id: string; at: number }>(
    "SELECT id, date_part('epoch', created_at) * 1000 AS at FROM deliveries WHERE id = ANY ($1)",
    [ids],
  );
  const first = firstPosts(posts, (post) => post.id);
  return rows.map(({ id, at }) => ({ createdAt: at, delay: (first.get(id)?.at ?? Number.NaN) - at }));
}
