/** Kinds of alerts for staff and developers. */
export const alertKinds = [
  "endpoint_failing",
  "deliveries_failed",
  "server_error_rate",
  "client_error_rate",
  "account_disconnected",
  "provider_down",
] as const;
export type AlertKind = (typeof alertKinds)[number];

/** `ongoing`: still wrong after a quiet time. `test`: sent by a person who tries alerts out. */
export type AlertState = "began" | "ongoing" | "resolved" | "test";

export const alertWays = ["email", "webhook"] as const;
export type AlertWay = (typeof alertWays)[number];

/** What the receiver of a scope's webhook understands. */
export const alertFormats = ["almanac", "slack", "teams"] as const;
export type AlertFormat = (typeof alertFormats)[number];

/** The scope of those who run Almanac. Any other scope is an application's id. */
export const STAFF_SCOPE = "staff";

export const QUIET_MINUTES = { least: 5, most: 1_440, byDefault: 60 } as const;

interface Owned {
  applicationId: string;
  applicationName: string;
}

export type Facts =
  | ({ kind: "endpoint_failing"; endpoint: string; channels: number; failures: number } & Owned)
  /** `latest`: ids of some accounts. `withdrawn`: domains of organizations whose key their provider refuses. Omitted: none. */
  | ({ kind: "account_disconnected"; accounts: number; latest: string[]; withdrawn?: string[] } & Owned)
  /** Deliveries given up within `DELIVERIES_WITHIN_MINUTES`. */
  | ({ kind: "deliveries_failed"; failed: number } & Owned)
  /** Responses within `REQUESTS_WITHIN_MINUTES`. `errors`: 5xx or 4xx ones, as the kind says. */
  | ({ kind: ErrorRateKind; requests: number; errors: number } & Owned)
  | { kind: "provider_down"; provider: string; mailboxes: number };

export type ErrorRateKind = "server_error_rate" | "client_error_rate";

/** A problem that exists now. Times are milliseconds since 1970. */
export interface Condition {
  /** What distinguishes conditions of one scope and kind. */
  subject: string;
  since: number;
  /** When it last got worse in a way worth an alert. Null: that it lasts is worth one. */
  newsAt: number | null;
  facts: Facts;
}

/** Stored data about an earlier alert. */
export interface KnownAlert {
  subject: string;
  since: number;
  notifiedAt: number | null;
  /** Whether its beginning was sent and its end was not. */
  announced: boolean;
  endedAt: number | null;
  facts: Facts;
}

export interface Decision {
  /** The alerts to store. */
  alerts: KnownAlert[];
  news: Record<Exclude<AlertState, "test">, KnownAlert[]>;
}

interface DecisionInput {
  conditions: readonly Condition[];
  known: readonly KnownAlert[];
  quietMs: number;
  now: number;
}

/**
 * Decides which alerts of a kind to send to a scope, and what to remember. A condition is sent once per quiet time,
 * whether it lasts or flaps, and its end is sent if its beginning was.
 */
export function decide({ conditions, known, quietMs, now }: DecisionInput): Decision {
  const before = new Map(known.map((one) => [one.subject, one]));
  const isNow = new Set(conditions.map(({ subject }) => subject));
  const news: Decision["news"] = { began: [], ongoing: [], resolved: [] };
  const lasting = conditions.map(({ subject, since, newsAt, facts }) => {
    const one = before.get(subject);
    const alert = {
      subject,
      // What is counted over the last minutes would begin later each time.
      since: one && one.endedAt === null ? Math.min(one.since, since) : since,
      facts,
      endedAt: null,
      notifiedAt: one?.notifiedAt ?? null,
      announced: one?.announced ?? false,
    };
    const isQuiet = alert.notifiedAt !== null && (now - alert.notifiedAt < quietMs || isOld(newsAt, alert));
    if (isQuiet) return alert;
    const sent = { ...alert, notifiedAt: now, announced: true };
    news[alert.announced ? "ongoing" : "began"].push(sent);
    return sent;
  });
  const over = known
    .filter(({ subject, endedAt }) => endedAt === null && !isNow.has(subject))
    .map((one) => {
      if (one.announced) news.resolved.push(one);
      return { ...one, announced: false, endedAt: now };
    });
  return { alerts: [...lasting, ...over], news };
}

function isOld(
  newsAt: number | null,
  { notifiedAt, announced }: Pick<KnownAlert, "notifiedAt" | "announced">,
): boolean {
  return announced && newsAt !== null && notifiedAt !== null && newsAt <= notifiedAt;
}
