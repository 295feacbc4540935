import type { Applicant, QueueLimits, QueueSlot, Usage } from "@/server/http/admission/queue";

export interface Waiting {
  applicant: Applicant;
  admit(slot: QueueSlot): void;
}

interface Account {
  running: number;
  isWriting: boolean;
  /** In the order of their coming. */
  waiting: Waiting[];
}

/** What an application may use before it counts as working in bulk, and how much of it is forgiven a second. */
const bulk = {
  writes: { most: 1_000, forgiven: 500 },
  reads: { most: 4_000_000, forgiven: 2_000_000 },
};
export type Kind = keyof typeof bulk;

/** What runs and waits of one application. Its accounts take turns. */
export interface Application {
  wait(waiting: Waiting): { forget(): void };
  /** Takes out who may start next, of the kinds that may; undefined: nobody may. */
  take(may: Record<Kind, boolean>): Waiting | undefined;
  leave(applicant: Applicant, used: Usage, now: number): void;
  isFull(applicant: Applicant): boolean;
  hasWaiting(): boolean;
  /** It has written, or read, so much lately that its writes, or reads, share a slot with those of others like it. */
  isBulky(kind: Kind, now: number): boolean;
  /** Nothing of it runs or waits, and it owes nothing. */
  isIdle(now: number): boolean;
}

export function application(limits: QueueLimits): Application {
  const accounts = new Map<string | null, Account>();
  let running = 0;
  let waiting = 0;
  const owed = { writes: debt(bulk.writes), reads: debt(bulk.reads) };

  function accountOf(id: string | null): Account {
    const account = accounts.get(id) ?? { running: 0, isWriting: false, waiting: [] };
    accounts.set(id, account);
    return account;
  }

  function dropEmpty(id: string | null, account: Account): void {
    if (account.running === 0 && account.waiting.length === 0) accounts.delete(id);
  }

  function firstOf(id: string | null, account: Account, may: Record<Kind, boolean>): number {
    if (id !== null && account.running >= limits.perAccount) return -1;
    const isWriting = id !== null && account.isWriting;
    return account.waiting.findIndex(({ applicant }) => (applicant.writes ? may.writes && !isWriting : may.reads));
  }

  return {
    wait(entry) {
      const { accountId } = entry.applicant;
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
      if (running >= limits.perApplication) return undefined;
      for (const [id, account] of accounts) {
        const at = firstOf(id, account, may);
        const [entry] = at < 0 ? [] : account.waiting.splice(at, 1);
        if (!entry) continue;
        accounts.delete(id);
        accounts.set(id, account);
        account.running += 1;
        if (entry.applicant.writes) account.isWriting = true;
        running += 1;
        waiting -= 1;
        return entry;
      }
      return undefined;
    },
    leave({ accountId, writes }, used, now) {
      const account = accountOf(accountId);
      account.running -= 1;
      if (writes) account.isWriting = false;
      running -= 1;
      owed.writes.add(used.rows, now);
      owed.reads.add(used.bytes, now);
      dropEmpty(accountId, account);
    },
    isFull({ accountId }) {
      const ofAccount = accountId === null ? 0 : (accounts.get(accountId)?.waiting.length ?? 0);
      return waiting >= limits.waitingPerApplication || ofAccount >= limits.waitingPerAccount;
    },
    hasWaiting: () => waiting > 0,
    isBulky: (kind, now) => owed[kind].at(now) > bulk[kind].most,
    isIdle: (now) => running === 0 && waiting === 0 && owed.writes.at(now) + owed.reads.at(now) === 0,
  };
}

function debt({ forgiven }: { forgiven: number }) {
  let amount = 0;
  let since = 0;
  const at = (now: number) => Math.max(0, amount - ((now - since) / 1000) * forgiven);
  return {
    at,
    add(more: number, now: number) {
      amount = at(now) + more;
      since = now;
    },
  };
}
