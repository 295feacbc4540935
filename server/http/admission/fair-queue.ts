import { type Application, application, type Kind } from "@/server/http/admission/application";
import { heldSlots } from "@/server/http/admission/held-slots";
import type { Applicant, QueueLimits, QueueSlot, Timing, Usage } from "@/server/http/admission/queue";
import { Refusal } from "@/server/services/refusal";

export interface FairQueue {
  /**
   * Waits for a slot. Throws `overloaded` when too many wait already, or it takes too long, and `client_left` when nobody waits for
   * the response any more.
   */
  enter(applicant: Applicant, client?: Client): Promise<QueueSlot>;
  /** How many wait for a slot. */
  waiting(): number;
  /** For how long the one who has held a slot longest has held it, in milliseconds. */
  longestHold(): number;
}

/** Who is notified of what happens in a queue. */
export interface QueueObserver {
  /** Somebody waits no more, after so many milliseconds. */
  waited?(milliseconds: number): void;
  /** Somebody has held a slot for too long. */
  overdue?(applicant: Applicant): void;
}

/** Whose request waits. Its signal is looked at only if it has to. */
export interface Client {
  readonly signal: AbortSignal;
}

const RETRY_AFTER_SECONDS = 2;
const APPLICATIONS_KNOWN = 1_000;
/** After a bulk write of more rows than this, bulk writes rest for as long as it took, but at most a second. */
const RESTLESS_ROWS = 32;
const LONGEST_REST_MS = 1_000;
/** All that is read in bulk while others are there comes no faster than this, in bytes a millisecond. */
const BULK_READ_RATE = 4_000;
/** Whoever asks when no other application has for so long reads as fast as it can. */
const ALONE_MS = 1_000;

/** The one slot that all bulk work of a kind shares. */
interface SharedSlot {
  isTaken: boolean;
  restsUntil: number;
  isWaking: boolean;
}

/**
 * Lets requests in one after another: the applications take turns, and within one its accounts. An account writes one thing at a time,
 * so that writers of one calendar wait here and hold no connection. All applications that write in bulk share one slot for
 * their writes, which rests as long as it was used: at least half of the time the database is there for the others. Those that read in bulk
 * share one for their reads, which rests by the bytes that were read (ADR 24). A slot that was held for too long is given to the next,
 * which the observer is notified of (ADR 86).
 */
export function fairQueue(
  limits: QueueLimits,
  { monotonic, after }: Timing,
  { waited, overdue }: QueueObserver = {},
): FairQueue {
  const known = new Map<string, Application>();
  /** Those that have somebody waiting; who was served goes to the end. */
  const line = new Set<Application>();
  const holds = heldSlots(limits.longestHold, { monotonic, after });
  let running = 0;
  let waiting = 0;
  let latest: { one: Application; at: number } | undefined;
  /** Of the applications beside that of `latest`. */
  let latestOther: typeof latest;
  const shared: Record<Kind, SharedSlot> = {
    writes: { isTaken: false, restsUntil: 0, isWaking: false },
    reads: { isTaken: false, restsUntil: 0, isWaking: false },
  };

  function applicationOf(id: string): Application {
    const found = known.get(id);
    if (found) return found;
    if (known.size >= APPLICATIONS_KNOWN) forgetIdle();
    const made = application(limits);
    known.set(id, made);
    return made;
  }

  function forgetIdle(): void {
    for (const [id, one] of known) if (one.isIdle(monotonic())) known.delete(id);
  }

  function admit(): void {
    while (running < limits.atOnce && admitOne());
  }

  function admitOne(): boolean {
    for (const one of line) {
      const now = monotonic();
      const isBulky = {
        writes: one.isBulky("writes", now),
        reads: one.isBulky("reads", now) && now - lastOther(one) < ALONE_MS,
      };
      const next = one.take({
        writes: !isBulky.writes || isFree(shared.writes),
        reads: !isBulky.reads || isFree(shared.reads),
      });
      if (!next) continue;
      line.delete(one);
      if (one.hasWaiting()) line.add(one);
      const kind = next.applicant.writes ? "writes" : "reads";
      next.admit(slotOf(one, next.applicant, isBulky[kind] ? shared[kind] : null));
      return true;
    }
    return false;
  }

  /** When an application other than this one asked last. */
  function lastOther(one: Application): number {
    return latest?.one === one
      ? (latestOther?.at ?? Number.NEGATIVE_INFINITY)
      : (latest?.at ?? Number.NEGATIVE_INFINITY);
  }

  function noteAsking(one: Application): void {
    if (latest && latest.one !== one) latestOther = latest;
    latest = { one, at: monotonic() };
  }

  function isFree(slot: SharedSlot): boolean {
    const rest = slot.restsUntil - monotonic();
    if (!slot.isTaken && rest > 0 && !slot.isWaking) {
      slot.isWaking = true;
      after(Math.ceil(rest), () => {
        Object.assign(slot, { isWaking: false, restsUntil: 0 });
        admit();
      });
    }
    return !slot.isTaken && rest <= 0;
  }

  function slotOf(one: Application, applicant: Applicant, bulk: SharedSlot | null): QueueSlot {
    running += 1;
    if (bulk) bulk.isTaken = true;
    const began = monotonic();
    const used = { rows: 0, bytes: 0 };
    const slot: QueueSlot = {
      used: ({ rows = 0, bytes = 0 }) => {
        used.rows += rows;
        used.bytes += bytes;
      },
      leave: () => {
        if (!holds.end(slot)) return;
        running -= 1;
        const now = monotonic();
        one.leave(applicant, used, now);
        if (bulk) Object.assign(bulk, { isTaken: false, restsUntil: now + restAfter(used, now - began) });
        admit();
      },
    };
    holds.begin(slot, () => overdue?.(applicant));
    return slot;
  }

  return {
    enter(applicant, client) {
      const one = applicationOf(applicant.applicationId);
      noteAsking(one);
      if (waiting >= limits.waiting || one.isFull(applicant)) return Promise.reject(overloaded());
      return new Promise((resolve, reject) => {
        const since = monotonic();
        let isWaiting = true;
        const stopWaiting = () => {
          isWaiting = false;
          waiting -= 1;
          waited?.(monotonic() - since);
        };
        const entry = {
          applicant,
          admit(slot: QueueSlot) {
            stopWaiting();
            callOff();
            resolve(slot);
          },
        };
        const { forget } = one.wait(entry);
        const giveUp = (refusal: Refusal) => {
          if (!isWaiting) return;
          callOff();
          forget();
          if (!one.hasWaiting()) line.delete(one);
          stopWaiting();
          reject(refusal);
        };
        const callOff = after(limits.patience, () => giveUp(overloaded()));
        waiting += 1;
        line.add(one);
        admit();
        if (isWaiting && client) whenAborted(client.signal, () => giveUp(new Refusal({ kind: "client_left" })));
      });
    },
    waiting: () => waiting,
    longestHold: holds.longest,
  };
}

function whenAborted(signal: AbortSignal, work: () => void): void {
  if (signal.aborted) work();
  else signal.addEventListener("abort", work, { once: true });
}

function overloaded(): Refusal {
  return new Refusal({ kind: "overloaded", retryAfter: RETRY_AFTER_SECONDS });
}

function restAfter({ rows, bytes }: Usage, tookMs: number): number {
  const rest = Math.max(rows > RESTLESS_ROWS ? tookMs : 0, bytes / BULK_READ_RATE);
  return Math.min(rest, LONGEST_REST_MS);
}
