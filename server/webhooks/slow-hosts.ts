const SLOW_MS = 2_000;
const MOST_KEPT = 5_000;

/** Which hosts answered slowly the last time, so that together they hold at most so many of the attempts under way. */
export function slowHosts(most: number) {
  const slow = new Set<string>();
  const underWay = new Map<string, number>();
  let held = 0;

  const count = (host: string, change: number) => {
    const now = (underWay.get(host) ?? 0) + change;
    if (now > 0) underWay.set(host, now);
    else underWay.delete(host);
    if (slow.has(host)) held += change;
  };

  return {
    begin: (host: string) => count(host, 1),
    end: (host: string, durationMs: number) => {
      count(host, -1);
      const isSlow = durationMs >= SLOW_MS;
      if (isSlow === slow.has(host)) return;
      const others = underWay.get(host) ?? 0;
      held += isSlow ? others : -others;
      if (isSlow) slow.add(host);
      else slow.delete(host);
      const [oldest] = slow;
      if (slow.size > MOST_KEPT && oldest !== undefined) {
        slow.delete(oldest);
        held -= underWay.get(oldest) ?? 0;
      }
    },
    /** Hosts to leave out of the next claim. */
    excluded: (): string[] => (held >= most ? [...slow] : []),
  };
}
