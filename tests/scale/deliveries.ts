import { claimsByProcess, noteClaims } from "@/tests/rig/claims";
import { named } from "@/tests/rig/database";
import { type Field, inField } from "@/tests/rig/field";
import type { Row } from "@/tests/rig/results";
import { type SideProcess, startSideProcess } from "@/tests/rig/side-process";
import { passed, until } from "@/tests/rig/until";
import { growthRows, PROCESSES, type Rate } from "@/tests/scale/growth";
import { type Meter, shares, startMeter } from "@/tests/scale/machine";
import { sizeRows } from "@/tests/scale/sizes";

const RECEIVERS = 200;
const ANSWER_AFTER_MS = 100;
/** Few, so that they and not the processors are the limit. An application has all of them while no other wants one. */
const SLOTS = 2;
const SETTLING_MS = 2_000;
const MEASURED_MS = 16_000;
/** Of each receiver, for each process: for longer than is measured. */
const EACH = 6;
const PATIENCE_MS = 60_000;

/** Deliveries a second of 1, 2 and 4 workers at receivers that take 100 ms. */
export async function deliveries(): Promise<Row[]> {
  const receivers = startSideProcess("receiver-process", {
    RECEIVERS: String(RECEIVERS),
    ANSWER_AFTER_MS: String(ANSWER_AFTER_MS),
  });
  try {
    const origins = await receivers.ask<string[]>("origins");
    const rates: Rate[] = [];
    let sizes: Row[] = [];
    for (const processes of PROCESSES) {
      await inField({ origins }, async (field) => {
        rates.push(await measured(field, { receivers, origins, processes }));
        sizes = await sizeRows(field.db, ["deliveries", "attempts"]);
      });
    }
    return [
      ...growthRows(`deliveries at ${RECEIVERS} receivers of ${ANSWER_AFTER_MS} ms, ${SLOTS} slots`, rates),
      ...sizes,
    ];
  } finally {
    await receivers.close();
  }
}

interface Asked {
  receivers: SideProcess;
  origins: readonly string[];
  processes: number;
}

async function measured(field: Field, { receivers, origins, processes }: Asked): Promise<Rate> {
  await noteClaims(field.db);
  const names = Array.from({ length: processes }, (_, i) => `worker-${i}`);
  const workers = await Promise.all(
    names.map((name) =>
      field.launch({
        ...{ ALMANAC_ROLE: "worker", DATABASE_URL: named(field.url, name), DATABASE_POOL: "5" },
        ...{ DELIVERY_SLOTS: String(SLOTS), SWEEP_SECONDS: "1" },
      }),
    ),
  );
  await Promise.all(workers.map((worker) => worker.ready()));
  await field.deliveries(await field.channels(origins.map((origin) => `${origin}/hook`)), EACH * processes);
  const allClaim = async () => Object.keys(await claimsByProcess(field.db)).length === processes;
  await until(allClaim, { within: PATIENCE_MS, what: "a claim of every process" });
  await passed(SETTLING_MS);
  const pids = workers.map(({ child }) => child.pid);
  const meter: Meter = await startMeter(field.url, pids);
  const from = Date.now();
  await passed(MEASURED_MS);
  const spent = await meter.read();
  const to = Date.now();
  await meter.close();
  if ((await field.pending()) === 0) throw new Error("there were too few deliveries to measure");
  const answered = await receivers.ask<number>("answered", { from, to });
  return { processes, perSecond: (answered * 1_000) / (to - from), said: shares(spent, answered) };
}
