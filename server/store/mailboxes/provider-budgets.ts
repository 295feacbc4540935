import { type Database, db } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run, runOne } from "@/server/db/statement";
import { allowance, providersOf, type Quota, quotaOf, quotas } from "@/server/domain/provider-quotas";
import type { Provider } from "@/server/domain/providers";
import { env } from "@/server/env";
import {
  type Lane,
  type ProviderBudget,
  providerBudget,
  type Spending,
} from "@/server/store/mailboxes/provider-budget";
import { type BudgetOwner, cutBudget, readBudgets, settleBudget } from "@/server/store/mailboxes/provider-budgets.sql";
import { pauseProvider } from "@/server/store/mailboxes/schedule";

const opened = new Map<string, { perMinute: number; budget: ProviderBudget }>();

/**
 * Gives the budget of a provider, which all processes share. Null: its requests are not counted. `ownClient`: the id of
 * an application's own client, which has a quota of its own.
 */
export function budgetOf(provider: Provider, ownClient: string | null = null): ProviderBudget | null {
  const quota = quotaOf(provider);
  if (quota === null) return null;
  const perMinute = requestsPerMinute(quota);
  const name = ownClient ?? quota;
  const known = opened.get(name);
  if (known?.perMinute === perMinute) return known.budget;
  // What the provider wants of the client of the installation is no matter of others.
  const pausing = ownClient === null ? providersOf[quota] : [];
  const budget = providerBudget({
    perMinute,
    settle: (spent) => runOne(db().query, settleBudget, [name, spent, perMinute, databaseTime(), pausing]),
    cut: () => runOne(db().query, cutBudget, [name, databaseTime(), pausing]),
  });
  opened.set(name, { perMinute, budget });
  return budget;
}

/** Forgets what this process knows of the budgets, so that it begins as another one does. */
export function forgetBudgets(): void {
  opened.clear();
}

function requestsPerMinute(quota: Quota): number {
  const { GOOGLE_REQUESTS_PER_MINUTE, MICROSOFT_REQUESTS_PER_MINUTE } = env();
  return quota === "google" ? GOOGLE_REQUESTS_PER_MINUTE : MICROSOFT_REQUESTS_PER_MINUTE;
}

const uncounted: Spending = { spend: async () => {}, end: () => {} };

/** Whose work is begun. */
export interface Spender {
  provider: Provider;
  /** Null: unknown. */
  applicationId: string | null;
  /** The id of the application's own client that the mailbox was connected by. Null: none. */
  ownClient: string | null;
}

/** Begins a piece of work, whose requests are counted. */
export function beginSpending(lane: Lane, { provider, applicationId, ownClient }: Spender): Spending {
  return budgetOf(provider, ownClient)?.begin(lane, applicationId) ?? uncounted;
}

/**
 * Notes that a provider has refused requests of the whole service: its budget is halved and recovers by itself. If the
 * provider says for how long it wants none, nothing is read from any mailbox of it until then.
 */
export async function noteRefusal(database: Database, quota: Quota, afterMs: number | null): Promise<void> {
  for (const provider of providersOf[quota]) {
    if (afterMs !== null) await pauseProvider(database, provider, afterMs);
  }
  const [provider] = providersOf[quota];
  await (provider && budgetOf(provider))?.refused();
}

export interface BudgetFigures extends BudgetOwner {
  /** Requests a minute, as configured. */
  limit: number;
  /** Requests a minute, as they are sent now. */
  allowed: number;
  /** Requests that may be sent at once. */
  remaining: number;
}

/** Reads the budgets that all processes share: first those of the installation, in the order of `quotas`. */
export async function readBudgetFigures(): Promise<BudgetFigures[]> {
  const limits = quotas.map(requestsPerMinute);
  const rows = await run(db().query, readBudgets, [quotas, limits, databaseTime()]);
  return rows.map(({ level, share, ...owner }) => {
    const limit = requestsPerMinute(owner.quota);
    const { burst } = allowance(limit, share);
    return { ...owner, limit, allowed: limit * share, remaining: Math.max(0, Math.min(burst, level)) };
  });
}
