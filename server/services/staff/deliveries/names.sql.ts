import { type Binding, composed } from "@/server/db/composed";
import { int4, nullable, statement, text, timestamp } from "@/server/db/statement";
import { placeTime } from "@/server/services/staff/lists/paging";
import { applicationCondition } from "@/server/services/staff/procedure/scope";
import { isOfDays } from "@/server/store/deliveries/days";
import { loggedPart } from "@/server/store/request-logs/request-logs.sql";

/** How many accounts are considered: nobody has that many whose email begins alike. */
const MOST_ACCOUNTS = 1_000;

/** The host of a channel `c`, as the indexes of channels store it. */
const hostOfChannel = `lower(regexp_replace(substring(c.callback_url from '^[^:]*://([^/?#]*)'), '\\.?(:443)?$', ''))`;
const pathOfChannel = `coalesce(substring(c.callback_url from '^[^:]*://[^/?#]*(/[^?#]*)'), '')`;
const endpointOfChannel = `(${hostOfChannel} || ${pathOfChannel})`;

export interface EndpointPatterns {
  begins: string[];
  /** Hosts, spelled backwards. */
  liesBelow: string[];
  paths: string[];
  /** Parts of a path: its segments, which are whole, and a pattern for the rest. */
  parts: { segments: string[]; pattern: string }[];
}

/** Returns a condition on a channel `c` for each of the patterns; each has an index. */
export function endpointLike({ begins, liesBelow, paths, parts }: EndpointPatterns, put: Binding["put"]): string[] {
  return [
    ...begins.map((pattern) => `${endpointOfChannel} LIKE ${put(pattern)}`),
    ...liesBelow.map((pattern) => `reverse(${hostOfChannel}) LIKE ${put(pattern)}`),
    ...paths.map((pattern) => `${pathOfChannel} LIKE ${put(pattern)}`),
    ...parts.map(
      ({ segments, pattern }) =>
        `(string_to_array(${pathOfChannel}, '/') @> ${put(segments)}::text[] AND ${pathOfChannel} LIKE ${put(pattern)})`,
    ),
  ];
}

const none: EndpointPatterns = { begins: [], liesBelow: [], paths: [], parts: [] };

interface WithinPatterns extends EndpointPatterns {
  /** Restricts the search to the channels of these applications; null: any. */
  within: readonly string[] | null;
}

export const channelsLike = composed<WithinPatterns, { id: string }>({
  compose: ({ within: applications, ...patterns }, { put }) => {
    const ways = endpointLike(patterns, put).join(" OR ");
    if (applications === null) return `SELECT c.id FROM channels c WHERE ${ways}`;
    return `SELECT c.id FROM channels c JOIN accounts a ON a.id = c.account_id
WHERE (${ways}) AND ${applicationCondition("a.application_id", applications, put).join()}`;
  },
  columns: { id: text },
  samples: [
    { ...none, within: null, begins: ["a%"] },
    { ...none, within: null, begins: ["a%", "b%"], liesBelow: ["a.%", "b.%"], paths: ["/a%"] },
    { ...none, within: ["a"], begins: ["a%"] },
    { ...none, within: ["a", "b"], begins: ["a%"], parts: [{ segments: ["a"], pattern: "%/a/%" }] },
  ],
});

/** Each of the five values is a filter; null: unset. */
export const channelsWithin = statement<{ id: string }>(
  `SELECT c.id FROM channels c JOIN accounts a ON a.id = c.account_id
WHERE ($1::text[] IS NULL OR c.id = ANY ($1)) AND ($2::text[] IS NULL OR c.account_id = ANY ($2)) AND ($3::text IS NULL OR a.application_id = $3)
  AND ($4::text[] IS NULL OR ${hostOfChannel} = ANY ($4)) AND ($5::text[] IS NULL OR a.application_id = ANY ($5))`,
  { id: text },
);

/** In these three statements the second or third value restricts the applications; null: any. */
export const channelAtHost = statement<{ id: string }>(
  `SELECT c.id FROM channels c WHERE ${hostOfChannel} = ANY ($1)
  AND ($2::text[] IS NULL OR EXISTS (SELECT FROM accounts a WHERE a.id = c.account_id AND a.application_id = ANY ($2))) LIMIT 1`,
  { id: text },
);

/** By patterns of an email and of an application's name for an application calendar. */
export const accountsLike = statement<{ id: string }>(
  `SELECT id FROM accounts WHERE (lower(email) LIKE lower($1) OR application_calendar_id LIKE $2)
  AND ($3::text[] IS NULL OR application_id = ANY ($3)) LIMIT ${MOST_ACCOUNTS}`,
  { id: text },
);

/** The account of a profile or a calendar, within some applications. */
export const accountWithPart = statement<{ id: string }>(
  `SELECT a.id FROM accounts a WHERE a.id IN (SELECT account_id FROM profiles WHERE id = $1 UNION SELECT account_id FROM calendars WHERE id = $1)
  AND ($2::text[] IS NULL OR a.application_id = ANY ($2))`,
  { id: text },
);

export interface DeliveryByName {
  id: string;
  /** When it was created, to the microsecond. */
  at: string;
  accountId: string;
  channelId: string;
}

/** A delivery within some applications, in the days from $3 on and before $4. */
export const deliveryByName = statement<DeliveryByName>(
  `SELECT d.id, ${placeTime("d.created_at")} AS at, d.account_id AS "accountId", d.channel_id AS "channelId" FROM deliveries d
WHERE d.id = $1 AND ($2::text[] IS NULL OR d.application_id = ANY ($2)) AND ${isOfDays("d", "$3", "$4")}`,
  { id: text, at: text, accountId: text, channelId: text },
);

export const channelsInResponses = statement<{ id: string | null }>(
  `SELECT coalesce(body -> 'channel', body -> 'body' -> 'channel') ->> 'channel_id' AS id
FROM request_logs r CROSS JOIN LATERAL (SELECT ${loggedPart("r", "response_body")} AS body) stored
WHERE request_id = $1 AND method = 'POST' AND path = '/v1/channels' AND status = 200 AND ($2::text[] IS NULL OR application_id = ANY ($2))`,
  { id: nullable(text) },
);

interface OwnedByAccount {
  accountId: string;
  channels: number;
  open: number;
  closedAt: Date | null;
  closedBy: string | null;
  profiles: number;
  connected: number;
  lastSyncAt: Date | null;
}

/** For at most two accounts. */
export const ownedByAccounts = statement<OwnedByAccount>(
  `SELECT a.id AS "accountId", c.n AS channels, c.open, c.closed_at AS "closedAt", c.closed_by AS "closedBy",
  p.n AS profiles, p.connected, p.last_sync_at AS "lastSyncAt"
FROM accounts a
CROSS JOIN LATERAL (SELECT count(*)::int AS n, (count(*) FILTER (WHERE closed_at IS NULL))::int AS open, max(closed_at) AS closed_at,
  (array_agg(closed_by ORDER BY closed_at DESC))[1] AS closed_by FROM channels WHERE account_id = a.id) c
CROSS JOIN LATERAL (SELECT count(*)::int AS n, (count(*) FILTER (WHERE connected))::int AS connected, max(last_sync_at) AS last_sync_at
  FROM profiles JOIN profile_syncs ON profile_id = id WHERE account_id = a.id) p
WHERE a.id = ANY ($1) AND ($2::text[] IS NULL OR a.application_id = ANY ($2)) LIMIT 2`,
  {
    accountId: text,
    channels: int4,
    open: int4,
    closedAt: nullable(timestamp),
    closedBy: nullable(text),
    profiles: int4,
    connected: int4,
    lastSyncAt: nullable(timestamp),
  },
);
