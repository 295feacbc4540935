import { middle, total, written } from "@/tests/bench/cost/table";
import type { Row } from "@/tests/bench/measure";
import { type Bench, type Drained, drained, openSides, type Side } from "@/tests/bench/webhook-sides";
import { median } from "@/tests/rig/durations";

const DELIVERIES = 4_000;
const WARMING = 1_000;
const ROUNDS = 5;

/** A backlog at 20 hosts that respond at once, sent by the service and by the bare sender in turns. */
export async function backlogRows(bench: Bench): Promise<Row[]> {
  const sides = await openSides(bench);
  const taken = { ours: [] as Drained[], bare: [] as Drained[] };
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const count = round === 0 ? WARMING : DELIVERIES;
      const [theirs, our] = [await backlog(sides.bare, count), await backlog(sides.ours, count)];
      if (round === 0) continue;
      taken.bare.push(theirs);
      taken.ours.push(our);
      bench.say(
        `Deliveries a second: ${rate(our.ms)}, bare ${rate(theirs.ms)}; ${written(our.cost)}, ${written(theirs.cost)}`,
      );
    }
  } finally {
    await sides.close();
  }
  const [a, b] = [median(taken.ours.map(({ ms }) => ms)), median(taken.bare.map(({ ms }) => ms))];
  const [our, theirs] = [middle(taken.ours.map(({ cost }) => cost)), middle(taken.bare.map(({ cost }) => cost))];
  const what = "4,000 due deliveries at 20 hosts";
  return [
    {
      what: `${what}, processor time of each / a bare loop's`,
      ...{ ours: written(our), other: written(theirs), value: total(our) / total(theirs), limit: 5, unit: "×" },
    },
    {
      what: `${what}: the time for all / a bare loop's`,
      ...{ ours: rate(a), other: rate(b), value: a / b, limit: 5, unit: "×" },
    },
  ];
}

/** In a table that has nothing else, and statistics of these. */
async function backlog(side: Side, count: number): Promise<Drained> {
  await side.empty();
  await side.add(count);
  await side.analyze();
  return await drained(side, count);
}

function rate(ms: number): string {
  return `${((DELIVERIES * 1_000) / ms).toFixed(0)}/s`;
}
