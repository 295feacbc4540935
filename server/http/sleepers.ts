import { setTimeout as wait } from "node:timers/promises";
import { Refusal } from "@/server/services/refusal";

/** How many requests of one account, of one application and of all may sleep at once. */
export const MOST_SLEEPERS = { account: 4, application: 20, all: 100 };

export interface Sleeper {
  applicationId: string;
  accountId: string;
  /** Aborted when its client leaves: at once, unless so much of its body is unread that the socket is left alone. */
  signal: AbortSignal;
}

/** Requests that asked for a slow response. They hold nothing that others need. */
export interface Sleepers {
  /** Gives false at once when as many as may sleep already. Throws `client_left` as soon as the client leaves. */
  sleep(sleeper: Sleeper, milliseconds: number): Promise<boolean>;
  count(): number;
}

export function sleepers(): Sleepers {
  const asleep = new Set<Sleeper>();

  function hasRoom({ applicationId, accountId }: Sleeper): boolean {
    const same = (name: "applicationId" | "accountId", id: string) =>
      [...asleep].filter((one) => one[name] === id).length;
    return (
      asleep.size < MOST_SLEEPERS.all &&
      same("applicationId", applicationId) < MOST_SLEEPERS.application &&
      same("accountId", accountId) < MOST_SLEEPERS.account
    );
  }

  return {
    async sleep(sleeper, milliseconds) {
      if (!hasRoom(sleeper)) return false;
      asleep.add(sleeper);
      try {
        await wait(milliseconds, undefined, { signal: sleeper.signal, ref: false });
        return true;
      } catch {
        throw new Refusal({ kind: "client_left" });
      } finally {
        asleep.delete(sleeper);
      }
    },
    count: () => asleep.size,
  };
}
