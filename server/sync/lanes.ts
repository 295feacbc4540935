import { clock } from "@/server/clock";
import type { CalendarProvider } from "@/server/domain/calendars/guest-rules";

const SLOW_MS = 5_000;
/** What every provider has places for, whatever others do: else one that was not asked yet would wait for those that are slow. */
const ALWAYS = 2;

export interface Lane {
  provider: CalendarProvider;
  /** How many more may be begun for it. */
  most: number;
}

interface Manners {
  /** When each piece that is under way was begun. */
  begun: Set<{ at: number }>;
  /** It answered the last time, and soon; undefined: it was not asked yet. */
  isQuick?: boolean;
}

/**
 * Places for work at providers, as this process has seen them behave: one provider gets half of them at most, and those that are
 * slow, down or unknown half of them together, so that they never hold up the others.
 */
export function lanes(slots: number) {
  const known = new Map<CalendarProvider, Manners>();
  const half = Math.floor(slots / 2);
  const of = (provider: CalendarProvider): Manners => {
    const manners = known.get(provider) ?? { begun: new Set() };
    known.set(provider, manners);
    return manners;
  };
  const isSlow = ({ begun, isQuick }: Manners) => {
    const since = clock().monotonic() - SLOW_MS;
    return !isQuick || [...begun].some(({ at }) => at < since);
  };
  const held = (of: (manners: Manners) => boolean) =>
    [...known.values()].reduce((sum, manners) => sum + (of(manners) ? manners.begun.size : 0), 0);
  return {
    /** Gives what ends it: whether the provider answered at all. */
    begin: (provider: CalendarProvider): ((answered: boolean) => void) => {
      const manners = of(provider);
      const one = { at: clock().monotonic() };
      manners.begun.add(one);
      return (answered) => {
        if (!manners.begun.delete(one)) return;
        manners.isQuick = answered && clock().monotonic() - one.at < SLOW_MS;
      };
    },
    room: (providers: readonly CalendarProvider[]): Lane[] => {
      const free = slots - held(() => true);
      const freeForSlow = half - held(isSlow);
      const rooms = providers.map((provider) => {
        const manners = of(provider);
        const own = isSlow(manners) ? Math.max(freeForSlow, ALWAYS - manners.begun.size) : free;
        const most = Math.min(free, half - manners.begun.size, own);
        return { provider, most };
      });
      return rooms.filter(({ most }) => most > 0);
    },
  };
}
