/**
 * Exact token buckets. A bucket's state is one number, its *debt*: the microseconds until it is full again. Every interval is a whole
 * number of microseconds, so the same arithmetic gives the same answer here and in Redis.
 */
export interface Bucket {
  readonly name: string;
  readonly burst: number;
  /** Microseconds until one token is back. */
  readonly interval: number;
  /** The debt of an empty bucket, in microseconds. */
  readonly capacity: number;
  /** The debt is never taken to be more than this, in microseconds. */
  readonly deepest: number;
}

export interface Take {
  allowed: boolean;
  /** Burst of the tighter bucket. */
  limit: number;
  /** Whole tokens left in the tighter bucket. */
  remaining: number;
  /** Whole seconds until the tighter bucket is full. */
  reset: number;
  /** Whole seconds until every bucket has a token again: at least 1 when refused, 0 when allowed. */
  retryAfter: number;
}

const MICROSECONDS = 1_000_000;

/** Spec "Limits": rate limit per application. */
export const APPLICATION = bucket("application", { burst: 600, perSecond: 100 });
/** Spec "Limits": rate limit per access token (account). */
export const ACCOUNT = bucket("account", { burst: 150, perSecond: 25 });
/**
 * Wrong client credentials, per client id and socket address. Guesses that were being checked side by side are all charged, so it may be
 * overdrawn; otherwise one returned token would admit as many guesses as arrive together.
 */
export const WRONG_CREDENTIALS = bucket("wrong", { burst: 60, perSecond: 1, overdraft: 540 });
/**
 * The same per client id over all addresses, for callers at addresses that have not shown that client's secret before: guessing from everywhere at
 * once is as slow, and locks no application out of its own addresses.
 */
export const WRONG_FROM_ANYWHERE = bucket("wrong-anywhere", { burst: 300, perSecond: 5, overdraft: 300 });
/**
 * Requests of a public client for tokens, per client and socket address. They do not count against the application: its client id is no secret, and
 * strangers would use up its limit.
 */
export const PUBLIC_CLIENT = bucket("public-client", { burst: 300, perSecond: 5 });
/** Clients that register themselves (RFC 7591), per socket address: 10 an hour. */
export const REGISTRATION = bucket("registration", { burst: 10, perSecond: 1 / 360 });
/** Tries to sign in on the connect page, right or wrong, at one provider with one user name: each asks the provider. */
export const SIGN_IN_NAME = bucket("sign-in-name", { burst: 10, perSecond: 0.05 });
/** The same from one socket address, which may be a proxy's and many people's. */
export const SIGN_IN_ADDRESS = bucket("sign-in-address", { burst: 60, perSecond: 1 });
/** Tries of staff to sign in with one email address, whether an operator has it or not. */
export const STAFF_NAME = bucket("staff-name", { burst: 10, perSecond: 1 / 30 });
/** The same from one socket address, which may be a proxy's. */
export const STAFF_ADDRESS = bucket("staff-address", { burst: 30, perSecond: 0.2 });

/** Reads of one calendar feed. */
export const FEED = bucket("feed", { burst: 60, perSecond: 1 });

/** Calls of the dashboard's procedures by one operator, however they come: from pages, scripts, GraphQL or in batches. A page of deliveries makes 14, also for each row that keys open. */
export const STAFF_CALLS = bucket("staff-calls", { burst: 120, perSecond: 50 });

/** Calendars for visitors of the documentation from one socket address, which may be a proxy's. */
export const VISIT_ADDRESS = bucket("visit-address", { burst: 5, perSecond: 1 / 500 });
/** A visitor's calls, in place of an account's: enough to try every endpoint. */
export const VISITOR = bucket("visitor", { burst: 30, perSecond: 0.25 });

export function bucket(name: string, rule: { burst: number; perSecond: number; overdraft?: number }): Bucket {
  const interval = MICROSECONDS / rule.perSecond;
  const capacity = rule.burst * interval;
  return { name, burst: rule.burst, interval, capacity, deepest: capacity + (rule.overdraft ?? 0) * interval };
}

/** Returns the same bucket, from which one take takes so many tokens. */
export function weighed(bucket: Bucket, tokens: number): Bucket {
  return { ...bucket, interval: bucket.interval * tokens };
}

/**
 * Returns the debt now of a bucket that will be full at `fullAt` (microseconds; undefined: it is full). A clock set
 * back locks nobody out.
 */
export function debtAt(bucket: Bucket, fullAt: number | undefined, now: number): number {
  if (fullAt === undefined || fullAt <= now) return 0;
  return Math.min(fullAt - now, bucket.deepest);
}

export function debtAfterCharge(bucket: Bucket, debt: number): number {
  return Math.min(debt + bucket.interval, bucket.deepest);
}

/**
 * Takes one token from every bucket or, when one of them has none, from no bucket (spec "Limits": a request needs room in both).
 * `debts` are the buckets' debts before the take. The tighter bucket is the one with the fewest tokens left; of equals, the last.
 */
export function decide(buckets: readonly Bucket[], debts: readonly number[]): Take {
  let retryAfter = 0;
  buckets.forEach((bucket, i) => {
    const missing = (debts[i] ?? 0) + bucket.interval - bucket.capacity;
    if (missing > 0) retryAfter = Math.max(retryAfter, Math.ceil(missing / MICROSECONDS));
  });
  const allowed = retryAfter === 0;
  const take: Take = { allowed, limit: 0, remaining: 0, reset: 0, retryAfter };
  let fewest = Number.POSITIVE_INFINITY;
  buckets.forEach((bucket, i) => {
    const debt = (debts[i] ?? 0) + (allowed ? bucket.interval : 0);
    const tokens = (bucket.capacity - debt) / bucket.interval;
    if (tokens > fewest) return;
    fewest = tokens;
    take.limit = bucket.burst;
    take.remaining = Math.max(0, Math.floor(tokens));
    take.reset = Math.ceil(debt / MICROSECONDS);
  });
  return take;
}
