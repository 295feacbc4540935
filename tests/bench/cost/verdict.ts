/** Ratios by the name of their row. */
export type Figures = Readonly<Record<string, number>>;

/** Figures of one kind of machine: a faster one does not speed up both sides alike. */
export interface Committed {
  /** What the first row's request costs on the bare server there, in milliseconds of processor time. */
  bareMs: number;
  figures: Figures;
}

/** Those of the kind of machine that is nearest by what the bare server takes. */
export function nearest(committed: readonly Committed[], bareMs: number): Committed | undefined {
  const distance = (one: Committed) => Math.abs(Math.log(one.bareMs / bareMs));
  return committed.toSorted((one, other) => distance(one) - distance(other))[0];
}

/** With those that were measured in the place of those of the same kind of machine, if there are any. */
export function renewed(committed: readonly Committed[], measured: Committed): Committed[] {
  const old = nearest(committed, measured.bareMs);
  const isSame =
    old !== undefined && Math.max(old.bareMs, measured.bareMs) < MOST * Math.min(old.bareMs, measured.bareMs);
  return [...committed.filter((one) => !isSame || one !== old), measured].sort(
    (one, other) => one.bareMs - other.bareMs,
  );
}

export interface Worse {
  what: string;
  measured: number;
  committed: number;
}

/** How much worse than the committed figure a row may be: what noise can do to a short measurement. */
const MOST = 1.25;

/**
 * The rows that got worse than the committed figures allow. One that seems worse is measured again, and is only worse if it is then as well.
 * A row without a committed figure, or a figure without a row, is an error: the figures have to be committed again.
 */
export async function worseRows(
  measured: Figures,
  committed: Figures,
  measureAgain: (what: string) => Promise<number>,
): Promise<Worse[]> {
  const unknown = [...Object.keys(measured), ...Object.keys(committed)].filter(
    (what) => !(what in measured) || !(what in committed),
  );
  if (unknown.length > 0) throw new Error(`Measured or committed, but not both: ${unknown.join(", ")}.`);
  const worse: Worse[] = [];
  for (const [what, figure] of Object.entries(committed)) {
    if (isWithin(measured[what], figure)) continue;
    const again = await measureAgain(what);
    if (!isWithin(again, figure)) worse.push({ what, measured: again, committed: figure });
  }
  return worse;
}

/** What cannot be compared, such as NaN, is not within. */
function isWithin(measured: number | undefined, committed: number): boolean {
  return measured !== undefined && measured <= committed * MOST;
}
