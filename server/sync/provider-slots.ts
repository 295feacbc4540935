import { clock } from "@/server/clock";
import type { Provider } from "@/server/domain/providers";

const SLOW_MS = 5_000;
/** Every provider always has these slots. Otherwise an untried provider would wait for the slow ones. */
const ALWAYS = 2;
/** This many slots of a provider are left to applications that hold less than their share. */
const SPARE = 2;
/** Slots of a provider for mailboxes that were slow the last time, and how many of them one application may have. */
const MOST_SLOW = 5;
const MOST_SLOW_EACH = 3;

/** How many pieces of work may start at a provider, and for whom. */
export interface ProviderSlots {
  provider: Provider;
  /** In total. */
  most: number;
  /** How many an application may have, including those in progress, when slots are scarce. */
  share: number;
  /** How many may start before slots are scarce. */
  plenty: number;
  /** At mailboxes that were slow the last time: in total, and for one application, including those in progress. */
  slow: number;
  slowEach: number;
  /** `used`: of a budget that is short, what the application has had lately. Omitted: nothing, or there is enough. */
  held: { application: string; all: number; slow: number; used?: number }[];
}

/** A piece of work, as far as slots are concerned. */
export interface WorkItem {
  provider: Provider;
  applicationId: string;
  /** Its mailbox was slow the last time. */
  wasSlow: boolean;
}

interface Begun extends WorkItem {
  at: number;
}

interface ProfileBehaviour {
  begun: Set<Begun>;
  /** It responded quickly the last time. Undefined: it was never tried. */
  isQuick?: boolean;
}

/**
 * Counts the slots for work at providers, based on how they have behaved in this process. One provider gets at most half of them, and all
 * slow, down or untried providers together get half, so that they never delay the others. No application gets all slots of a provider,
 * and mailboxes that were slow get few.
 */
export function providerSlots(slots: number) {
  const known = new Map<Provider, ProfileBehaviour>();
  const half = Math.max(1, Math.floor(slots / 2));
  const of = (provider: Provider): ProfileBehaviour => {
    const behaviour = known.get(provider) ?? { begun: new Set() };
    known.set(provider, behaviour);
    return behaviour;
  };
  const isSlow = ({ begun, isQuick }: ProfileBehaviour) => !isQuick || [...begun].some(isLate);
  const held = (of: (behaviour: ProfileBehaviour) => boolean) =>
    [...known.values()].reduce((sum, behaviour) => sum + (of(behaviour) ? behaviour.begun.size : 0), 0);
  return {
    /** Returns the function that ends the work, called with whether the provider responded. It returns whether the mailbox was slow. */
    begin: (item: WorkItem): ((answered: boolean) => boolean) => {
      const behaviour = of(item.provider);
      const one = { ...item, at: clock().monotonic() };
      behaviour.begun.add(one);
      return (answered) => {
        const wasSlow = isLate(one);
        if (behaviour.begun.delete(one)) behaviour.isQuick = answered && !wasSlow;
        return wasSlow;
      };
    },
    free: (providers: readonly Provider[]): ProviderSlots[] => {
      const unused = slots - held(() => true);
      const freeForSlow = half - held(isSlow);
      const all = providers.map((provider) => {
        const behaviour = of(provider);
        const own = isSlow(behaviour) ? Math.max(freeForSlow, ALWAYS - behaviour.begun.size) : unused;
        const most = Math.min(unused, half - behaviour.begun.size, own);
        return { provider, most, ...shared(behaviour.begun, { half, most }) };
      });
      return all.filter(({ most }) => most > 0);
    },
  };
}

function isLate({ at }: Begun): boolean {
  return clock().monotonic() - at >= SLOW_MS;
}

function shared(
  begun: ReadonlySet<Begun>,
  { half, most }: { half: number; most: number },
): Omit<ProviderSlots, "provider" | "most"> {
  const held = new Map<string, { application: string; all: number; slow: number }>();
  for (const one of begun) {
    const application = one.applicationId;
    const { all, slow } = held.get(application) ?? { all: 0, slow: 0 };
    held.set(application, { application, all: all + 1, slow: slow + (one.wasSlow ? 1 : 0) });
  }
  const slow = [...held.values()].reduce((sum, one) => sum + one.slow, 0);
  return {
    share: Math.max(1, Math.floor(half / (1 + Math.max(1, held.size)))),
    plenty: Math.max(0, most - SPARE),
    slow: Math.max(0, MOST_SLOW - slow),
    slowEach: MOST_SLOW_EACH,
    held: [...held.values()],
  };
}
