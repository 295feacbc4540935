import type { AlertKind } from "@/server/domain/alerts/alerts";

/** Over how long the responses to an application's requests are counted. */
export const REQUESTS_WITHIN_MINUTES = 15;
/** Over how long an application's failed deliveries are counted. */
export const DELIVERIES_WITHIN_MINUTES = 60;

interface Limits {
  least: number;
  most: number;
  byDefault: number;
}

/** What can be set of a rule, and what holds until it is. */
interface SettableThresholds {
  /** Percent of requests, or a number of deliveries. */
  threshold: Limits;
  /** Fewer requests than these alert to nothing. */
  leastRequests?: Limits;
}

const percent = (byDefault: number): Limits => ({ least: 1, most: 100, byDefault });
const requests = (byDefault: number): Limits => ({ least: 1, most: 1_000_000, byDefault });

/** The kinds of alerts that begin at a threshold. The others have none. */
export const settableThresholds: Partial<Record<AlertKind, SettableThresholds>> = {
  deliveries_failed: { threshold: { least: 1, most: 1_000_000, byDefault: 10 } },
  server_error_rate: { threshold: percent(5), leastRequests: requests(20) },
  client_error_rate: { threshold: percent(50), leastRequests: requests(50) },
};

export interface Thresholds {
  threshold: number | null;
  leastRequests: number | null;
}

/** Fills in what was not set. Null: the kind has nothing of the sort. */
export function thresholdsOf(kind: AlertKind, set: Partial<Thresholds>): Thresholds {
  const settable = settableThresholds[kind];
  return {
    threshold: settable ? (set.threshold ?? settable.threshold.byDefault) : null,
    leastRequests: settable?.leastRequests ? (set.leastRequests ?? settable.leastRequests.byDefault) : null,
  };
}

interface ThresholdFault {
  field: keyof Thresholds;
  /** Such as "must be a whole number from 1 to 100". */
  words: string;
}

/** Returns the first threshold of a rule that it can’t have, or null. */
export function thresholdFault(kind: AlertKind, set: Thresholds): ThresholdFault | null {
  for (const field of ["threshold", "leastRequests"] as const) {
    const value = set[field];
    const limits = settableThresholds[kind]?.[field];
    if (value === null || isWithin(value, limits)) continue;
    const words = limits ? `must be a whole number from ${limits.least} to ${limits.most}` : "must be omitted";
    return { field, words };
  }
  return null;
}

function isWithin(value: number, limits: Limits | undefined): boolean {
  return limits !== undefined && Number.isInteger(value) && value >= limits.least && value <= limits.most;
}
