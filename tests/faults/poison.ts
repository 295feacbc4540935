import { inField } from "@/tests/rig/field";
import { startReceivers } from "@/tests/rig/receivers";
import type { Row } from "@/tests/rig/results";
import { until } from "@/tests/rig/until";

const HOSTS = 10;
const EACH = 50;
const PATIENCE_MS = 60_000;

/** One delivery among 500 cannot even be signed: its channel's secret does not open. */
export async function poison(): Promise<Row[]> {
  const receivers = await startReceivers(HOSTS);
  try {
    return await inField(receivers, async (field) => {
      const [broken = ""] = await field.channels(receivers.urls.slice(0, 1));
      await field.db.query("UPDATE channels SET sealed_secret = 'v1.none.x.y.z' WHERE id = $1", [broken]);
      const [poisoned] = await field.deliveries([broken], 1);
      const healthy = await field.deliveries(await field.channels(receivers.urls), EACH);
      const look = () =>
        field.db.query<{ id: string; state: string; attempts: number; last_error: string | null }>(
          "SELECT id, state, attempts, last_error FROM deliveries",
        );
      const service = await field.launch();
      await until(
        async () => (await look()).every(({ state, last_error }) => state !== "pending" || last_error !== null),
        { within: PATIENCE_MS, what: "an attempt at every delivery" },
      );
      const rows = await look();
      const delivered = rows.filter(({ id, state }) => state === "delivered" && id !== poisoned).length;
      const row = rows.find(({ id }) => id === poisoned);
      const isCounted = row?.state === "pending" && row.attempts === 1 && row.last_error === "internal";
      return [
        {
          what: "poison: healthy deliveries delivered",
          measured: `${delivered} of ${healthy.length}`,
          limit: `${healthy.length}`,
          ok: delivered === healthy.length && receivers.posts.length === healthy.length && service.isAlive(),
        },
        {
          what: "poison: attempt recorded",
          measured: `${row?.state}, ${row?.attempts} attempt, ${row?.last_error}`,
          limit: "pending, 1 attempt, internal",
          ok: isCounted,
        },
      ];
    });
  } finally {
    await receivers.close();
  }
}
