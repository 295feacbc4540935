import { knownErrors, type MicrosoftError } from "./errors";
import type { Account, World } from "./state";

/** A request that came before the time that Retry-After had named. */
export interface Violation {
  email: string;
  method: string;
  path: string;
  /** Milliseconds too early. */
  early: number;
}

/** What the fake counted. */
export interface Counters {
  /** Requests by route: the method and the path with {id} for ids. Parts of batches count. */
  routes: Record<string, number>;
  /** The most requests at once of each mailbox, by email. */
  mostAtOnce: Record<string, number>;
  violations: Violation[];
  /** Requests that got 429 because too many ran. */
  overConcurrency: number;
  reset(): void;
}

export interface Throttle {
  counters: Counters;
  /** Counts a request, and takes a place of its mailbox; the error that it meets instead. */
  enter(account: Account, method: string, path: string): MicrosoftError | undefined;
  leave(account: Account): void;
  /** A response to the mailbox named Retry-After. */
  wait(account: Account, retryAfter: string): void;
}

/** Places of mailboxes: "Outlook service limits are evaluated for each app ID and mailbox combination", four requests at once. */
export function newThrottle(world: World): Throttle {
  const running = new Map<Account, number>();
  const blocked = new Map<Account, number>();
  const counters: Counters = {
    routes: {},
    mostAtOnce: {},
    violations: [],
    overConcurrency: 0,
    reset() {
      Object.assign(counters, { routes: {}, mostAtOnce: {}, overConcurrency: 0 });
      counters.violations.length = 0;
    },
  };

  function isTooEarly(account: Account, method: string, path: string): boolean {
    const early = (blocked.get(account) ?? 0) - world.now();
    if (early > 0) counters.violations.push({ email: account.email, method, path, early });
    return early > 0;
  }

  function wait(account: Account, retryAfter: string): void {
    const seconds = Number(retryAfter);
    const until = Number.isNaN(seconds) ? Date.parse(retryAfter) : world.now() + seconds * 1000;
    blocked.set(account, Math.max(until, blocked.get(account) ?? 0));
  }

  function refused(account: Account, seconds: number): MicrosoftError {
    const error = knownErrors.mailboxConcurrency();
    error.response.headers = { ...error.response.headers, "retry-after": String(seconds) };
    wait(account, String(seconds));
    return error;
  }

  return {
    counters,
    enter(account, method, path) {
      const route = routeName(method, path);
      counters.routes[route] = (counters.routes[route] ?? 0) + 1;
      const tooEarly = isTooEarly(account, method, path);
      const now = (running.get(account) ?? 0) + 1;
      running.set(account, now);
      counters.mostAtOnce[account.email] = Math.max(now, counters.mostAtOnce[account.email] ?? 0);
      if (now > world.knobs.mailboxConcurrency) {
        counters.overConcurrency += 1;
        return refused(account, world.knobs.retryAfter);
      }
      if (!tooEarly || !world.knobs.insists) return undefined;
      return refused(account, Math.ceil(((blocked.get(account) ?? 0) - world.now()) / 1000));
    },
    leave: (account) => void running.set(account, (running.get(account) ?? 1) - 1),
    wait,
  };
}

/** A method and a path with {id} in place of ids. */
export function routeName(method: string, path: string): string {
  const segments = path.replace(/^\/v1\.0/, "").split("/");
  const named = segments.map((segment) => (/^(AAMk|AAkA)|^[0-9a-f-]{36}$/.test(segment) ? "{id}" : segment));
  return `${method} ${named.join("/")}`;
}
