/** What staff and developers are alerted to. */
export const alertKinds = ["endpoint_failing", "account_disconnected", "provider_down"] as const;
export type AlertKind = (typeof alertKinds)[number];

/** `ongoing`: it still is after a quiet time. `test`: somebody tried it. */
export type AlertState = "began" | "ongoing" | "resolved" | "test";

export const alertWays = ["email", "webhook"] as const;
export type AlertWay = (typeof alertWays)[number];

/** The scope of those who run Almanac; any other is an application's id. */
export const STAFF_SCOPE = "staff";

export const QUIET_MINUTES = { least: 5, most: 1_440, byDefault: 60 } as const;

interface Owned {
  applicationId: string;
  applicationName: string;
}

export type Facts =
  | ({ kind: "endpoint_failing"; endpoint: string; channels: number; failures: number } & Owned)
  /** `latest`: ids of some accounts. */
  | ({ kind: "account_disconnected"; accounts: number; latest: string[] } & Owned)
  | { kind: "provider_down"; provider: string; mailboxes: number };

/** Something that is wrong now. Times are milliseconds since 1970. */
export interface Condition {
  /** What is told apart within a scope and kind. */
  subject: string;
  since: number;
  /** When it last became worse in a way that is news. Null: that it lasts is. */
  newsAt: number | null;
  facts: Facts;
}

/** What is known of one from before. */
export interface KnownAlert {
  subject: string;
  since: number;
  notifiedAt: number | null;
  /** It was sent, and its end was not. */
  announced: boolean;
  endedAt: number | null;
  facts: Facts;
}

export interface Decision {
  /** As they are from now on. */
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
 * What to send of a kind to a scope, and what to remember. Of the same thing one alert is sent in a quiet time, whether it lasts or comes
 * and goes; its end is sent if its beginning was.
 */
export function decide({ conditions, known, quietMs, now }: DecisionInput): Decision {
  const before = new Map(known.map((one) => [one.subject, one]));
  const isNow = new Set(conditions.map(({ subject }) => subject));
  const news: Decision["news"] = { began: [], ongoing: [], resolved: [] };
  const lasting = conditions.map(({ subject, since, newsAt, facts }) => {
    const one = before.get(subject);
    const alert = {
      subject,
      since,
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
