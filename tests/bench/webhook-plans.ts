import { total, written } from "@/tests/bench/cost/table";
import type { Row } from "@/tests/bench/measure";
import { type Bench, type Drained, drained, openSides, type Side, type Sides } from "@/tests/bench/webhook-sides";

/** So many of one after another that a process plans nothing anew any more. */
const WARMING = 40;
const SPARSE = 200;
const DENSE = 4_000;

/** The most that each may cost, in times what the bare loop's costs. */
const LIMITS = { sparse: 8, dense: 8 };

interface Turn {
  sparse: Drained;
  dense: Drained;
}

/**
 * Deliveries one after another, and many at once: by the plans that were kept of an empty queue, in a table that nobody has vacuumed since,
 * and after ANALYZE.
 */
export async function planRows(bench: Bench): Promise<Row[]> {
  const sides = await openSides(bench);
  try {
    for (const side of [sides.bare, sides.ours]) {
      await side.empty();
      await side.analyze();
      await oneByOne(side, WARMING);
    }
    const before = await turnsOf(sides);
    for (const side of [sides.bare, sides.ours]) await side.analyze();
    return [...rowsOf("by plans of an empty queue", before), ...rowsOf("after ANALYZE", await turnsOf(sides))];
  } finally {
    await sides.close();
  }
}

async function turnsOf({ ours, bare }: Sides): Promise<{ ours: Turn; bare: Turn }> {
  return { bare: await turnOf(bare), ours: await turnOf(ours) };
}

async function turnOf(side: Side): Promise<Turn> {
  const sparse = await oneByOne(side, SPARSE);
  await side.add(DENSE);
  return { sparse, dense: await drained(side, DENSE) };
}

/** Each is due when the one before it has arrived. */
async function oneByOne(side: Side, count: number): Promise<Drained> {
  const all = { ms: 0, cost: { process: 0, database: 0 } };
  for (let sent = 0; sent < count; sent++) {
    await side.add(1);
    const { ms, cost } = await drained(side, 1);
    all.ms += ms;
    all.cost.process += cost.process / count;
    all.cost.database += cost.database / count;
  }
  return all;
}

function rowsOf(when: string, { ours, bare }: { ours: Turn; bare: Turn }): Row[] {
  const row = (what: string, kind: keyof Turn): Row => ({
    what: `${what}, ${when}, processor time of each / a bare loop's`,
    ...{ ours: written(ours[kind].cost), other: written(bare[kind].cost) },
    ...{ value: total(ours[kind].cost) / total(bare[kind].cost), limit: LIMITS[kind], unit: "×" },
  });
  return [
    row(`${SPARSE} deliveries one after another`, "sparse"),
    row(`${DENSE.toLocaleString("en")} due deliveries at 20 hosts`, "dense"),
  ];
}
