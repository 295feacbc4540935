import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { type Provider, providerTraits, synced } from "@/server/domain/providers";
import { providerName } from "@/server/domain/wire-names";
import { offeredProviders, providerLabel } from "@/server/providers/offered";
import {
  failingMailboxes,
  MOST_COUNTED,
  type ProviderFigures,
  providerFigures,
  throttledMailboxes,
  waitingWrites,
} from "@/server/services/staff/providers/health.sql";
import type { ProviderHealth, ProviderState } from "@/server/services/staff/providers/shapes";

/** A provider doesn’t respond if it doesn’t for this many mailboxes: one may have a fault of its own. */
const FEWEST_MAILBOXES = 3;
/** In their order. */
const shown: readonly Provider[] = synced;

/** Reads the health of each provider that is offered or has mailboxes, at a time in milliseconds since 1970. */
export async function readProviderHealth(query: Query, now: number): Promise<ProviderHealth[]> {
  const at = new Date(now);
  const [figures, failing, throttled, writes] = await Promise.all([
    run(query, providerFigures, [at, shown]),
    run(query, failingMailboxes, []),
    run(query, throttledMailboxes, [at]),
    run(query, waitingWrites, []),
  ]);
  const of = <Row extends { provider: Provider }>(rows: readonly Row[], provider: Provider) =>
    rows.find((row) => row.provider === provider);
  const offered: readonly Provider[] = offeredProviders();
  return [...figures]
    .sort((a, b) => shown.indexOf(a.provider) - shown.indexOf(b.provider))
    .filter(({ provider, ...row }) => offered.includes(provider) || mailboxesOf(row) > 0)
    .map(({ provider, ...row }): ProviderHealth => {
      const fails = of(failing, provider);
      const slowed = of(throttled, provider);
      const waits = of(writes, provider);
      const isThrottledWhole = row.pausedUntil !== null;
      return {
        ...{ provider: providerName("product", provider), name: providerLabel(provider) },
        state: stateOf({
          mailboxes: mailboxesOf(row),
          ...{ isThrottledWhole, isThrottledInPart: slowed !== undefined },
          unreached: fails?.unreached ?? 0,
        }),
        mailboxes: mailboxesOf(row),
        ...{ failing: fails?.count ?? 0, failing_since: iso(fails?.since) },
        errors: (fails?.errors ?? []).map(({ error, count }) => ({ error: error ?? "unknown", mailboxes: count })),
        ...{ throttled: slowed?.count ?? 0, throttled_all: isThrottledWhole, throttled_since: iso(row.pausedSince) },
        throttled_until: iso(latest(row.pausedUntil, slowed?.until)),
        pushes: providerTraits[provider].watchedPollMs === null ? null : row.pushes,
        last_read_at: iso(row.lastReadAt),
        ...{ writes_waiting: waits?.count ?? 0 },
        writes_due_since: waits && waits.dueSince.getTime() <= now ? iso(waits.dueSince) : null,
      };
    });
}

interface Known {
  mailboxes: number;
  isThrottledWhole: boolean;
  isThrottledInPart: boolean;
  unreached: number;
}

/** Judges a provider. One mailbox that it throttles doesn't hide that it answers no other. */
function stateOf(known: Known): ProviderState {
  if (known.isThrottledWhole) return "rate_limiting";
  if (known.unreached >= FEWEST_MAILBOXES) return "not_responding";
  if (known.isThrottledInPart) return "rate_limiting";
  return known.mailboxes === 0 ? "unused" : "ok";
}

function mailboxesOf({ mailboxes, firstSyncs }: Omit<ProviderFigures, "provider">): number {
  return Math.min(mailboxes + firstSyncs, MOST_COUNTED);
}

function latest(one: Date | null, other: Date | null = null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

function iso(time: Date | null | undefined): string | null {
  return time?.toISOString() ?? null;
}
