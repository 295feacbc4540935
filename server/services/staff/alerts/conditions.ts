import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { type AlertKind, type Condition, STAFF_SCOPE } from "@/server/domain/alerts/alerts";
import { endpointOf } from "@/server/domain/channels/endpoint";
import { providerTraits } from "@/server/domain/providers";
import { disconnectedAccounts, failingUrls, unreachableMailboxes } from "@/server/services/staff/alerts/conditions.sql";

/** A provider counts as down if it does not respond for this many mailboxes of a scope: one may have a fault of its own. */
const FEWEST_MAILBOXES = 3;

/** Returns the current problems of a scope. */
export type ConditionsIn = (scope: string) => Condition[];

/** Reads the problems of a kind for all scopes at once. Disabled applications have none. */
export const conditionsOf: Record<AlertKind, (query: Query) => Promise<ConditionsIn>> = {
  async endpoint_failing(query) {
    const rows = await run(query, failingUrls, []);
    return ownedBy(
      rows.map(({ url, since, ...facts }) => {
        const endpoint = endpointOf(url);
        return {
          subject: `${facts.applicationId} ${endpoint}`,
          ...{ since: since.getTime(), newsAt: null, facts: { kind: "endpoint_failing", endpoint, ...facts } },
        };
      }),
    );
  },
  async account_disconnected(query) {
    const rows = await run(query, disconnectedAccounts, []);
    return ownedBy(
      rows.map(({ since, newsAt, ...facts }) => ({
        subject: facts.applicationId,
        ...{ since: since.getTime(), newsAt: newsAt.getTime(), facts: { kind: "account_disconnected", ...facts } },
      })),
    );
  },
  async provider_down(query) {
    const rows = await run(query, unreachableMailboxes, []);
    return (scope) => {
      const within = rows.filter(({ applicationId }) => scope === STAFF_SCOPE || applicationId === scope);
      return [...new Set(within.map(({ provider }) => provider))].flatMap((provider): Condition[] => {
        const some = within.filter((row) => row.provider === provider);
        const mailboxes = some.reduce((sum, row) => sum + row.mailboxes, 0);
        if (mailboxes < FEWEST_MAILBOXES) return [];
        const since = Math.min(...some.map((row) => row.since.getTime()));
        const facts = { kind: "provider_down", provider: providerTraits[provider].label, mailboxes } as const;
        return [{ subject: provider, since, newsAt: null, facts }];
      });
    };
  },
};

type OwnedCondition = Condition & { facts: { applicationId: string } };

function ownedBy(conditions: OwnedCondition[]): ConditionsIn {
  return (scope) =>
    scope === STAFF_SCOPE ? conditions : conditions.filter(({ facts }) => facts.applicationId === scope);
}
