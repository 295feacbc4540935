import type { Row } from "@/tests/rig/results";

/** How many processes work side by side, one after the other. */
export const PROCESSES = [1, 2, 4];
const LEAST_GROWTH = 1.7;

export interface Rate {
  processes: number;
  perSecond: number;
  /** What it took. */
  said: string;
}

/** The rates, and how much each is over the one before. */
export function growthRows(what: string, rates: readonly Rate[]): Row[] {
  return rates.map(({ processes, perSecond, said }, i) => {
    const before = rates[i - 1];
    const growth = before && perSecond / before.perSecond;
    return {
      what: `${what} a second, ${processes} ${processes === 1 ? "worker" : "workers"}`,
      measured: `${perSecond.toFixed(1)}${growth ? `, ${growth.toFixed(2)} × the row above` : ""} (${said})`,
      limit: growth ? `${LEAST_GROWTH} ×` : "",
      ok: growth === undefined || growth >= LEAST_GROWTH,
    };
  });
}
