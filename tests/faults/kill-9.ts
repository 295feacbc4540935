import { type Field, inField } from "@/tests/rig/field";
import { type Post, startReceivers } from "@/tests/rig/receivers";
import type { Row } from "@/tests/rig/results";
import { passed, until } from "@/tests/rig/until";

const KILLS = 20;
const HOSTS = 20;
const EACH = 250;
const LATEST_KILL_MS = 400;
/** An outcome is with the database that long after its response. */
const STORED_WITHIN_MS = 50;
/** An attempt that two kills hit comes back after the waits of 15 s and a minute, one that three hit after five more. */
const END_MS = 420_000;

/** The service is killed 20 times while it delivers, then started once more and left to finish. */
export async function kill9(): Promise<Row[]> {
  const receivers = await startReceivers(HOSTS);
  try {
    return await inField(receivers, async (field) => {
      const ids = await field.deliveries(await field.channels(receivers.urls), EACH);
      const kills: Kill[] = [];
      for (let kill = 0; kill < KILLS; kill++) kills.push(await killOnce(field, receivers.posts));
      await field.launch();
      await until(async () => (await field.pending()) === 0, { within: END_MS, what: "the end of all deliveries" });
      return await rowsOf(field, { ids, posts: receivers.posts, kills });
    });
  } finally {
    await receivers.close();
  }
}

interface Kill {
  /** When the process was dead. */
  at: number;
  /** It hit with some posted since the start and others still due. */
  isFlowing: boolean;
  /** Posted by it without a response, or with one within the last 50 ms: what may be posted again. */
  open: ReadonlySet<string>;
}

async function killOnce(field: Field, posts: readonly Post[]): Promise<Kill> {
  const before = posts.length;
  const service = await field.launch();
  await until(() => posts.length > before, { within: 60_000, what: "the first POST after a start" });
  await passed(Math.random() * LATEST_KILL_MS);
  const killedAt = Date.now();
  await service.end("SIGKILL");
  const own = posts.slice(before);
  const open = own.filter(({ answeredAt }) => answeredAt === null || answeredAt > killedAt - STORED_WITHIN_MS);
  const isFlowing = new Set(posts.map(({ id }) => id)).size < HOSTS * EACH;
  return { at: Date.now(), isFlowing, open: new Set(open.map(({ id }) => id)) };
}

/** Posted again though the last process that posted it had its response for longer than 50 ms when it was killed. */
function unexplained(posts: readonly Post[], kills: readonly Kill[]): number {
  const last = new Map<string, Post>();
  let count = 0;
  for (const post of posts) {
    const earlier = last.get(post.id);
    const killed = earlier && kills.find(({ at }) => earlier.at <= at);
    if (earlier && !killed?.open.has(post.id)) count += 1;
    last.set(post.id, post);
  }
  return count;
}

async function rowsOf(
  { db }: Field,
  { ids, posts, kills }: { ids: readonly string[]; posts: readonly Post[]; kills: readonly Kill[] },
): Promise<Row[]> {
  const rows = await db.query<{ id: string }>("SELECT id FROM deliveries WHERE state = 'delivered'");
  const delivered = new Set(rows.map(({ id }) => id));
  const received = new Set(posts.map(({ id }) => id));
  const lost = ids.filter((id) => !delivered.has(id) || !received.has(id)).length;
  const doubled = posts.length - received.size;
  const open = kills.reduce((sum, one) => sum + one.open.size, 0);
  const others = unexplained(posts, kills);
  const flowing = kills.filter(({ isFlowing }) => isFlowing).length;
  return [
    {
      what: `kill -9, ${KILLS} times: deliveries lost`,
      measured: `${lost} of ${ids.length}`,
      limit: "0",
      ok: lost === 0,
    },
    {
      what: `kill -9, ${KILLS} times: duplicate POSTs that were not in flight, with a response older than ${STORED_WITHIN_MS} ms`,
      measured: `${others} (${doubled} duplicates in all; ${open} were in flight or answered within ${STORED_WITHIN_MS} ms)`,
      limit: "0",
      ok: others === 0,
    },
    {
      what: "kill -9: kills during delivery",
      measured: `${flowing}`,
      limit: `${KILLS}`,
      ok: flowing === KILLS,
    },
  ];
}
