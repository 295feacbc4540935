import type { QueueSlot, Room } from "@/server/http/admission/fair-queue";

/** Who asks for a place, and what for. */
export interface Applicant {
  applicationId: string;
  /** Null: the application itself, by its client credentials. */
  accountId: string | null;
  writes: boolean;
}

export interface Waiting {
  asked: Applicant;
  admit(place: QueueSlot): void;
}

interface Account {
  running: number;
  isWriting: boolean;
  /** In the order of their coming. */
  waiting: Waiting[];
}

/** Rows that an application may write beside its events before it counts as writing in bulk, and how many of them a second are forgiven. */
const BULK_ROWS = 1_000;
const BULK_ROWS_A_SECOND = 500;

/** What runs and waits of one application. Its accounts take turns. */
export interface Application {
  wait(waiting: Waiting): { forget(): void };
  /** Takes out who may start next; undefined: nobody may. Without `writes` only reads may. */
  take(may: { writes: boolean }): Waiting | undefined;
  leave(asked: Applicant, rows: number, now: number): void;
  isFull(asked: Applicant): boolean;
  hasWaiting(): boolean;
  /** It has written so much lately that its writes share a place with those of others like it. */
  isBulky(now: number): boolean;
  /** Nothing of it runs or waits, and it owes nothing. */
  isIdle(now: number): boolean;
}

export function application(room: Room): Application {
  const accounts = new Map<string | null, Account>();
  let running = 0;
  let waiting = 0;
  let owed = 0;
  let owedAt = 0;

  const owes = (now: number) => Math.max(0, owed - ((now - owedAt) / 1000) * BULK_ROWS_A_SECOND);

  function accountOf(id: string | null): Account {
    const account = accounts.get(id) ?? { running: 0, isWriting: false, waiting: [] };
    accounts.set(id, account);
    return account;
  }

  function dropEmpty(id: string | null, account: Account): void {
    if (account.running === 0 && account.waiting.length === 0) accounts.delete(id);
  }

  function firstOf(id: string | null, account: Account, may: { writes: boolean }): number {
    if (id !== null && account.running >= room.perAccount) return -1;
    const isWriting = id !== null && account.isWriting;
    return account.waiting.findIndex(({ asked }) => !asked.writes || (may.writes && !isWriting));
  }

  return {
    wait(entry) {
      const { accountId } = entry.asked;
      const account = accountOf(accountId);
      account.waiting.push(entry);
      waiting += 1;
      return {
        forget() {
          const at = account.waiting.indexOf(entry);
          if (at < 0) return;
          account.waiting.splice(at, 1);
          waiting -= 1;
          dropEmpty(accountId, account);
        },
      };
    },
    take(may) {
      if (running >= room.perApplication) return undefined;
      for (const [id, account] of accounts) {
        const at = firstOf(id, account, may);
        const [entry] = at < 0 ? [] : account.waiting.splice(at, 1);
        if (!entry) continue;
        accounts.delete(id);
        accounts.set(id, account);
        account.running += 1;
        if (entry.asked.writes) account.isWriting = true;
        running += 1;
        waiting -= 1;
        return entry;
      }
      return undefined;
    },
    leave({ accountId, writes }, rows, now) {
      const account = accountOf(accountId);
      account.running -= 1;
      if (writes) account.isWriting = false;
      running -= 1;
      owed = owes(now) + rows;
      owedAt = now;
      dropEmpty(accountId, account);
    },
    isFull({ accountId }) {
      const ofAccount = accountId === null ? 0 : (accounts.get(accountId)?.waiting.length ?? 0);
      return waiting >= room.waitingPerApplication || ofAccount >= room.waitingPerAccount;
    },
    hasWaiting: () => waiting > 0,
    isBulky: (now) => owes(now) > BULK_ROWS,
    isIdle: (now) => running === 0 && waiting === 0 && owes(now) === 0,
  };
}
