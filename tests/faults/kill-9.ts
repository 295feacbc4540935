import { type Field, inField, type Row } from "@/tests/faults/field";
import { type Post, startReceivers } from "@/tests/faults/receivers";
import { passed, until } from "@/tests/faults/until";

const KILLS = 20;
const HOSTS = 20;
const EACH = 250;
const LATEST_KILL_MS = 400;
/** An attempt that two kills hit comes back after the waits of 15 s and a minute, one that three hit after five more. */
const END_MS = 420_000;

/** The service is killed 20 times while it delivers, then started once more and left to finish. */
export async function kill9(): Promise<Row[]> {
  const receivers = await startReceivers(HOSTS);
  try {
    return await inField(receivers, async (field) => {
      const ids = await field.deliveries(await field.channels(receivers.urls), EACH);
      let flowing = 0;
      for (let kill = 0; kill < KILLS; kill++) if (await killOnce(field, receivers.posts)) flowing += 1;
      field.launch();
      await until(async () => (await field.pending()) === 0, { within: END_MS, what: "the end of all deliveries" });
      return await rowsOf(field, { ids, posts: receivers.posts, flowing });
    });
  } finally {
    await receivers.close();
  }
}

/** True: it hit with some posted since the start and others still due. */
async function killOnce(field: Field, posts: readonly Post[]): Promise<boolean> {
  const before = posts.length;
  const service = field.launch();
  await until(() => posts.length > before, { within: 60_000, what: "the first POST after a start" });
  await passed(Math.random() * LATEST_KILL_MS);
  await service.end("SIGKILL");
  return new Set(posts.map(({ id }) => id)).size < HOSTS * EACH;
}

async function rowsOf(
  { db }: Field,
  { ids, posts, flowing }: { ids: readonly string[]; posts: readonly Post[]; flowing: number },
): Promise<Row[]> {
  const rows = await db.query<{ id: string }>("SELECT id FROM deliveries WHERE state = 'delivered'");
  const delivered = new Set(rows.map(({ id }) => id));
  const received = new Set(posts.map(({ id }) => id));
  const lost = ids.filter((id) => !delivered.has(id) || !received.has(id)).length;
  const doubled = posts.length - received.size;
  const share = (100 * doubled) / ids.length;
  return [
    {
      fault: `kill -9, ${KILLS} times: deliveries lost`,
      measured: `${lost} of ${ids.length}`,
      limit: "0",
      ok: lost === 0,
    },
    {
      fault: `kill -9, ${KILLS} times: duplicate POSTs`,
      measured: `${doubled} (${share.toFixed(2)} %)`,
      limit: "1 %",
      ok: share <= 1,
    },
    {
      fault: "kill -9: kills during delivery",
      measured: `${flowing}`,
      limit: `${KILLS}`,
      ok: flowing === KILLS,
    },
  ];
}
