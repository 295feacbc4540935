import { setTimeout as sleep } from "node:timers/promises";
import { clock } from "@/server/clock";
import { allowance } from "@/server/domain/provider-quotas";
import { ProviderError } from "@/server/providers/connector";

/** What requests are for, the most urgent first. Somebody waits for `now`; a first sync takes what the others leave. */
export type Lane = "now" | "write" | "sync" | "first_sync";

/** What a quota's budget is known to have left, in the database that all processes share. */
export interface Settled {
  level: number;
  share: number;
  /** For how many milliseconds the provider wants no requests. */
  closedMs: number;
}

export interface BudgetOptions {
  perMinute: number;
  /** Takes what was sent from the shared budget, and tells what is left. */
  settle(spent: number): Promise<Settled>;
  /** Halves the shared budget. */
  cut(): Promise<Settled>;
  wait?(ms: number): Promise<void>;
}

/** How much work may begin. */
export interface Room {
  pieces: number;
  /** If none: in how many milliseconds. */
  inMs: number;
  /** While the budget is short: what applications have had lately, in pieces of work. */
  used: Map<string, number>;
}

/** The requests of a piece of work. */
export interface Spending {
  /** Counts requests before they are sent, and waits for a few seconds if the budget is far overdrawn. */
  spend(requests: number): Promise<void>;
  end(): void;
}

export interface ProviderBudget {
  /** Learns what other processes have spent, if that was long ago. */
  refresh(): Promise<void>;
  room(lane: Lane): Room;
  begin(lane: Lane, applicationId: string | null): Spending;
  /** Notes that the provider has refused requests of everybody. */
  refused(): Promise<void>;
}

/** The detail of an error that no request has caused: the provider has asked for none. */
export const OUT_OF_QUOTA = "out_of_quota";

const SETTLE_MS = 1_000;
/** While the budget is short, processes tell one another sooner. */
const SHORT_SETTLE_MS = 200;
/** How long a request waits at most. Work in progress is never given up for want of budget. */
const PATIENCE_MS = 10_000;
/** Each process begins a first sync so often at least, so that nobody waits forever. */
const FIRST_SYNC_MS = 60_000;
/** How long a kind of work that found no budget keeps the other kind from using all that comes in. */
const TURNED_AWAY_MS = 5_000;
/** How long what an application has had counts. */
const MEMORY_MS = 15_000;
/** What pieces of work cost before any is known. */
const usualCost: Record<Lane, number> = { now: 1, write: 2, sync: 2, first_sync: 8 };
const LEARNING = 0.1;

/** Waits without keeping the process alive. */
function unwatched(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false });
}

/**
 * Keeps this process's view of the budget of requests that all processes share. Work begins while there is budget for
 * it, and requests are counted as they are sent. What was sent too much is waited for before more work begins, so that
 * the rate holds over time. First syncs leave half of a burst to the rest, and so take only what the rest does not use.
 */
export function providerBudget({ perMinute, settle, cut, wait = unwatched }: BudgetOptions): ProviderBudget {
  const now = () => clock().monotonic();
  const cost = { ...usualCost };
  const recent = new Map<string, { requests: number; at: number }>();
  let known: Omit<Settled, "closedMs"> & { at: number } = { level: allowance(perMinute, 1).burst, share: 1, at: now() };
  let settledAt = Number.NEGATIVE_INFINITY;
  let unsettled = 0;
  let closedUntil = Number.NEGATIVE_INFINITY;
  let firstSyncAt = Number.NEGATIVE_INFINITY;
  const begunAt = { write: Number.NEGATIVE_INFINITY, sync: Number.NEGATIVE_INFINITY };
  const turnedAwayAt = { ...begunAt };
  let settling: Promise<void> | undefined;

  const rate = () => allowance(perMinute, known.share);
  const level = () => {
    const { burst, perSecond } = rate();
    const came = (Math.max(0, now() - known.at) / 1_000) * perSecond;
    return Math.min(burst, known.level + came) - unsettled;
  };
  const isShort = () => level() < rate().burst / 2;
  /** Writes leave room for a sync that was turned away since the last one began, and syncs for a write. */
  const leftFor = (other: "write" | "sync") => {
    const isWaiting = turnedAwayAt[other] > begunAt[other] && now() - turnedAwayAt[other] < TURNED_AWAY_MS;
    return isWaiting ? Math.min(cost[other], rate().burst / 4) : 0;
  };
  const floorOf = (lane: Lane) => {
    if (lane === "first_sync") return rate().burst / 2;
    return lane === "now" ? 0 : leftFor(lane === "write" ? "sync" : "write");
  };
  const msUntil = (wanted: number) => Math.ceil(Math.max(0, ((wanted - level()) / rate().perSecond) * 1_000)) + 1;
  const learn = ({ level, share, closedMs }: Settled) => {
    known = { level, share, at: now() };
    closedUntil = now() + closedMs;
    settledAt = known.at;
  };

  const settleNow = () => {
    settling ??= (async () => {
      const spent = unsettled;
      unsettled = 0;
      try {
        learn(await settle(spent));
      } catch (error) {
        unsettled += spent;
        throw error;
      } finally {
        settling = undefined;
      }
    })();
    return settling;
  };
  const isStale = () => Math.abs(now() - settledAt) >= (isShort() ? SHORT_SETTLE_MS : SETTLE_MS);
  const settleSoon = () => {
    if (unsettled !== 0 && isStale()) settleNow().catch(() => undefined); // what was spent is kept for the next time
  };

  const usedBy = (application: string) => {
    const one = recent.get(application);
    return one ? one.requests * Math.exp(-Math.max(0, now() - one.at) / MEMORY_MS) : 0;
  };
  const noteUse = (application: string, requests: number) => {
    recent.set(application, { requests: usedBy(application) + requests, at: now() });
  };
  const usedLately = (lane: Lane) => {
    const used = new Map<string, number>();
    for (const application of [...recent.keys()]) {
      const requests = usedBy(application);
      if (requests < 0.01) recent.delete(application);
      else used.set(application, requests / cost[lane]);
    }
    return used;
  };

  /** Waits until a request of work in progress may be sent, or its patience ends. */
  const turn = async (lane: Lane) => {
    const lowest = lane === "first_sync" ? floorOf(lane) : -rate().burst / 2;
    for (let waited = 0; lane !== "now" && waited < PATIENCE_MS; ) {
      if (now() < closedUntil) throw closed();
      const ms = level() > lowest ? 0 : Math.min(PATIENCE_MS - waited, Math.max(50, msUntil(lowest)));
      if (ms === 0) return;
      await wait(ms);
      waited += ms;
      if (isStale()) await settleNow().catch(() => undefined);
    }
  };
  const closed = () =>
    new ProviderError({ kind: "throttled", after: closedUntil - now(), scope: "application" }, OUT_OF_QUOTA);

  return {
    async refresh() {
      if (isStale() || now() < closedUntil) await settleNow();
    },
    room(lane) {
      const left = level() - floorOf(lane);
      const needed = Math.min(cost[lane], (rate().burst - floorOf(lane)) * 0.9);
      const used = isShort() ? usedLately(lane) : new Map();
      if (now() < closedUntil) return { pieces: 0, inMs: closedUntil - now(), used };
      if (left >= needed) return { pieces: Math.max(1, Math.floor(left / cost[lane])), inMs: 0, used };
      if (lane === "write" || lane === "sync") turnedAwayAt[lane] = now();
      const inMs = msUntil(floorOf(lane) + needed);
      if (lane !== "first_sync") return { pieces: 0, inMs, used };
      const owedInMs = FIRST_SYNC_MS - (now() - firstSyncAt);
      return owedInMs <= 0 ? { pieces: 1, inMs: 0, used } : { pieces: 0, inMs: Math.min(inMs, owedInMs), used };
    },
    begin(lane, application) {
      let [prepaid, spent] = [lane === "now" ? 0 : cost[lane], 0];
      unsettled += prepaid;
      if (lane === "first_sync") firstSyncAt = now();
      if (lane === "write" || lane === "sync") begunAt[lane] = now();
      if (isShort()) settleSoon();
      return {
        async spend(requests) {
          if (now() < closedUntil) throw closed();
          if (requests > prepaid) await turn(lane);
          unsettled += Math.max(0, requests - prepaid);
          prepaid = Math.max(0, prepaid - requests);
          spent += requests;
          if (application !== null) noteUse(application, requests);
          settleSoon();
        },
        end() {
          unsettled -= prepaid;
          prepaid = 0;
          if (spent > 0) cost[lane] = Math.max(1, cost[lane] + (spent - cost[lane]) * LEARNING);
          settleSoon();
        },
      };
    },
    async refused() {
      learn(await cut());
    },
  };
}
