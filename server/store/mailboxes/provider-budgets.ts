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
import { cutBudget, readBudgets, settleBudget } from "@/server/store/mailboxes/provider-budgets.sql";
import { pauseProvider } from "@/server/store/mailboxes/schedule";

const opened = new Map<Quota, { perMinute: number; budget: ProviderBudget }>();

/** Gives the budget of a provider, which all processes share. Null: its requests are not counted. */
export function budgetOf(provider: Provider): ProviderBudget | null {
  const quota = quotaOf(provider);
  if (quota === null) return null;
  const perMinute = requestsPerMinute(quota);
  const known = opened.get(quota);
  if (known?.perMinute === perMinute) return known.budget;
  const budget = providerBudget({
    perMinute,
    settle: (spent) => runOne(db().query, settleBudget, [quota, spent, perMinute, databaseTime(), providersOf[quota]]),
    cut: () => runOne(db().query, cutBudget, [quota, databaseTime(), providersOf[quota]]),
  });
  opened.set(quota, { perMinute, budget });
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

/** Begins a piece of work, whose requests are counted. `applicationId`: whose work it is. Null: unknown. */
export function beginSpending(provider: Provider, lane: Lane, applicationId: string | null): Spending {
  return budgetOf(provider)?.begin(lane, applicationId) ?? uncounted;
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

export interface BudgetFigures {
  quota: Quota;
  /** Requests a minute, as configured. */
  limit: number;
  /** Requests a minute, as they are sent now. */
  allowed: number;
  /** Requests that may be sent at once. */
  remaining: number;
}

/** Reads the budgets that all processes share. */
export async function readBudgetFigures(): Promise<BudgetFigures[]> {
  const limits = quotas.map(requestsPerMinute);
  const rows = await run(db().query, readBudgets, [quotas, limits, databaseTime()]);
  return rows.map(({ quota, level, share }) => {
    const limit = requestsPerMinute(quota);
    const { burst } = allowance(limit, share);
    return { quota, limit, allowed: limit * share, remaining: Math.max(0, Math.min(burst, level)) };
  });
}
