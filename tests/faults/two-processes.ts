import { claimsByProcess, noteClaims } from "@/tests/rig/claims";
import { named } from "@/tests/rig/database";
import { inField } from "@/tests/rig/field";
import { startReceivers } from "@/tests/rig/receivers";
import type { Row } from "@/tests/rig/results";
import { until } from "@/tests/rig/until";

const HOSTS = 50;
const EACH = 200;
const PATIENCE_MS = 180_000;
const NAMES = ["one", "other"];

/** Two services on one PostgreSQL, 10,000 deliveries due. */
export async function twoProcesses(): Promise<Row[]> {
  const receivers = await startReceivers(HOSTS);
  try {
    return await inField(receivers, async (field) => {
      const channels = await field.channels(receivers.urls);
      await noteClaims(field.db);
      for (const name of NAMES) await (await field.launch({ DATABASE_URL: named(field.url, name) })).ready();
      const ids = await field.deliveries(channels, EACH);
      const began = performance.now();
      await until(async () => (await field.pending()) === 0, {
        within: PATIENCE_MS,
        what: "the end of all deliveries",
      });
      const rate = ids.length / ((performance.now() - began) / 1000);
      const received = new Set(receivers.posts.map(({ id }) => id));
      const doubled = receivers.posts.length - received.size;
      const claims = await claimsByProcess(field.db);
      const shares = NAMES.map((name) => claims[name] ?? 0);
      return [
        {
          what: "two processes: duplicate POSTs",
          measured: `${doubled} of ${ids.length} (${rate.toFixed(0)} deliveries/s from the insert on)`,
          limit: "0",
          ok: doubled === 0 && received.size === ids.length,
        },
        {
          what: "two processes: claims per process",
          measured: shares.join(" and "),
          limit: "both > 0",
          ok: shares.every((share) => share > 0),
        },
      ];
    });
  } finally {
    await receivers.close();
  }
}
