const SLOW_MS = 2_000;
const MOST_KEPT = 5_000;
const MOST_NAMED = 200;

interface Manners {
  underWay: number;
  /** Whether its last attempt got an answer, whichever; undefined: it was never asked. */
  answers?: boolean;
  /** Its last attempt took long. */
  isSlow: boolean;
}

/**
 * How receivers behave, as this process has seen it. One that has not answered the last time, or was never asked, gets one
 * attempt at a time; slow ones together hold at most so many: so those that are dead or slow hold up no other.
 */
export function hosts(mostSlow: number) {
  const known = new Map<string, Manners>();
  const of = (host: string): Manners => {
    const manners = known.get(host) ?? { underWay: 0, isSlow: false };
    known.delete(host); // and to the end: the first is the one not asked for longest
    known.set(host, manners);
    return manners;
  };
  const forget = () => {
    for (const [host, { underWay }] of known) {
      if (known.size <= MOST_KEPT) return;
      if (underWay === 0) known.delete(host);
    }
  };
  const heldBySlow = () => [...known.values()].reduce((sum, one) => sum + (one.isSlow ? one.underWay : 0), 0);
  return {
    begin: (host: string) => {
      of(host).underWay += 1;
    },
    end: (host: string, { answered, durationMs }: { answered: boolean; durationMs: number }) => {
      const manners = of(host);
      manners.underWay -= 1;
      manners.answers = answered;
      manners.isSlow = durationMs >= SLOW_MS;
      forget();
    },
    isDead: (host: string): boolean => known.get(host)?.answers === false,
    /** To leave out of the next claim. */
    without: (): string[] => {
      const tooManySlow = heldBySlow() >= mostSlow;
      return [...known]
        .filter(([, one]) => (one.underWay > 0 && !one.answers) || (tooManySlow && one.isSlow))
        .map(([host]) => host);
    },
    /** That may have several attempts at once: the last ones asked. */
    several: (): string[] =>
      [...known]
        .filter(([, one]) => one.answers)
        .slice(-MOST_NAMED)
        .map(([host]) => host),
  };
}
