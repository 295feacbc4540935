import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { providerName } from "@/server/domain/wire-names";
import { providerLabel } from "@/server/providers/offered";
import { MOST_OF_A_KIND, type TroubledGroup, troubledMailboxes } from "@/server/services/staff/overview/mailboxes.sql";
import type { Overview, TroubledMailboxes } from "@/server/services/staff/overview/shapes";
import type { VisibleApplications } from "@/server/services/staff/procedure/scope";

const MOST_SHOWN = 10;
const MOST_REASONS = 3;

/** Reads the mailboxes that are disconnected, or whose syncs fail or are late, those that only their user can fix first. */
export async function mailboxesNow(
  query: Query,
  now: number,
  within: VisibleApplications,
): Promise<Overview["mailboxes"]> {
  const groups = await run(query, troubledMailboxes, [new Date(now), within]);
  const countOf = (state: TroubledGroup["state"]) =>
    groups.reduce((sum, group) => sum + (group.state === state ? group.mailboxes : 0), 0);
  return {
    items: groups.slice(0, MOST_SHOWN).map((group) => mailboxGroup(group, countOf(group.state) >= MOST_OF_A_KIND)),
    groups: groups.length,
    disconnected: countOf("disconnected"),
    failing: countOf("failing"),
    late: countOf("late"),
  };
}

function mailboxGroup({ accountId, since, reasons, ...group }: TroubledGroup, more: boolean): TroubledMailboxes {
  return {
    ...group,
    more,
    accountId: group.accounts === 1 && !more ? accountId : null,
    since: since?.toISOString() ?? null,
    reasons: reasons.slice(0, MOST_REASONS).map(({ provider, ...reason }) => ({
      ...reason,
      ...{ provider: providerName("product", provider), providerLabel: providerLabel(provider) },
    })),
  };
}
