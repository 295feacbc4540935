import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { type AlertKind, type Condition, type ErrorRateKind, STAFF_SCOPE } from "@/server/domain/alerts/alerts";
import {
  DELIVERIES_WITHIN_MINUTES,
  REQUESTS_WITHIN_MINUTES,
  type Thresholds,
  thresholdsOf,
} from "@/server/domain/alerts/thresholds";
import { endpointOf } from "@/server/domain/channels/endpoint";
import { providerLabel } from "@/server/providers/offered";
import {
  disconnectedAccounts,
  erringApplications,
  failedDeliveries,
  failingUrls,
  unreachableMailboxes,
} from "@/server/services/staff/alerts/conditions.sql";

/** A provider counts as down if it does not respond for this many mailboxes of a scope: one may have a fault of its own. */
const FEWEST_MAILBOXES = 3;

const MINUTE_MS = 60_000;

/** A rule whose conditions are wanted: what it leaves unset is the kind's default. */
type Wanted = { scope: string } & Partial<Thresholds>;

/** Returns the current problems that a rule is about. */
export type ConditionsIn = (rule: Wanted) => Condition[];

/** Reads the problems of a kind for all scopes at once. Disabled applications have none. */
export const conditionsOf: Record<AlertKind, (query: Query, now: number) => Promise<ConditionsIn>> = {
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
  async deliveries_failed(query, now) {
    const rows = await run(query, failedDeliveries, [new Date(now - DELIVERIES_WITHIN_MINUTES * MINUTE_MS)]);
    return (rule) => {
      const { threshold } = thresholdsOf("deliveries_failed", rule);
      return ownedBy(
        rows
          .filter(({ failed }) => failed >= (threshold ?? 1))
          .map(({ since, ...facts }) => ({
            subject: facts.applicationId,
            ...{ since: since.getTime(), newsAt: null, facts: { kind: "deliveries_failed", ...facts } },
          })),
      )(rule);
    };
  },
  server_error_rate: errorRateOf("server_error_rate"),
  client_error_rate: errorRateOf("client_error_rate"),
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
    return ({ scope }) => {
      const within = rows.filter(({ applicationId }) => scope === STAFF_SCOPE || applicationId === scope);
      return [...new Set(within.map(({ provider }) => provider))].flatMap((provider): Condition[] => {
        const some = within.filter((row) => row.provider === provider);
        const mailboxes = some.reduce((sum, row) => sum + row.mailboxes, 0);
        if (mailboxes < FEWEST_MAILBOXES) return [];
        const since = Math.min(...some.map((row) => row.since.getTime()));
        const facts = { kind: "provider_down", provider: providerLabel(provider), mailboxes } as const;
        return [{ subject: provider, since, newsAt: null, facts }];
      });
    };
  },
};

type OwnedCondition = Condition & { facts: { applicationId: string } };

function ownedBy(conditions: OwnedCondition[]): ConditionsIn {
  return ({ scope }) =>
    scope === STAFF_SCOPE ? conditions : conditions.filter(({ facts }) => facts.applicationId === scope);
}

function errorRateOf(kind: ErrorRateKind) {
  return async (query: Query, now: number): Promise<ConditionsIn> => {
    const from = new Date(now - REQUESTS_WITHIN_MINUTES * MINUTE_MS);
    const rows = await run(query, erringApplications, [from, new Date(now)]);
    return (rule) => {
      const { threshold, leastRequests } = thresholdsOf(kind, rule);
      const conditions = rows.flatMap(({ applicationId, applicationName, requests, ...row }) => {
        const isServer = kind === "server_error_rate";
        const errors = isServer ? row.serverErrors : row.clientErrors;
        const since = isServer ? row.serverErrorsSince : row.clientErrorsSince;
        const isBelow = requests < (leastRequests ?? 1) || errors * 100 < (threshold ?? 1) * requests;
        if (since === null || isBelow) return [];
        const facts = { kind, requests, errors, applicationId, applicationName };
        return [{ subject: applicationId, since: since.getTime(), newsAt: null, facts }];
      });
      return ownedBy(conditions)(rule);
    };
  };
}
