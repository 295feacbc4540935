import { type Binding, composed, samplesOf } from "@/server/db/composed";
import { bool, int4, json, jsonText, nullable, oneOf, statement, text, textOf, timestamp } from "@/server/db/statement";
import type { Access } from "@/server/domain/access";
import type { WriteState } from "@/server/domain/provider-writes";
import type { Provider, ProviderService } from "@/server/domain/providers";
import type { Rule } from "@/server/domain/recurrence/rule";
import { FEWEST_FAILURES } from "@/server/domain/trouble/profile-status";
import { type AccountOrder, isAfter, orderBy, orders } from "@/server/services/staff/accounts/account-order";
import { caldavServerOf } from "@/server/services/staff/accounts/caldav-server";
import { searchCondition } from "@/server/services/staff/accounts/search-condition";
import type { AccountChannel, AccountHead, AccountProfile, FailedWrite } from "@/server/services/staff/accounts/shapes";
import { hasMailbox, troubledIds } from "@/server/services/staff/accounts/troubled";
import { triggerColumns, triggerSelected } from "@/server/services/staff/channels/trigger-column";
import type { AccountRow, accountList } from "@/server/services/staff/lists/accounts";
import { type ConditionsOf, conditionsFor } from "@/server/services/staff/lists/conditions";
import type { FilterValues } from "@/server/services/staff/lists/list";
import { MOST_COUNTED, type PageCursor, placeTime } from "@/server/services/staff/lists/paging";
import { applicationCondition, MOST_LOOKS } from "@/server/services/staff/procedure/scope";
import { isOver, isPendingWrite, isUnsent, isWaitingForReconnect, stateOf } from "@/server/store/events/write-states";

/** How many of an account's channels and failed writes are shown. */
const MOST = 100;

export interface AccountSearch extends FilterValues<typeof accountList.filters> {
  id?: string;
  /** Restricts the search to these applications. */
  within?: readonly string[];
  after?: PageCursor;
}

const samples: AccountSearch[] = [
  ...samplesOf<Required<AccountSearch>>({
    id: "",
    q: "",
    application: "",
    within: ["", ""],
    disconnected: true,
    sync: ["failing", "late"],
    revoked: true,
    after: { at: "2025-06-01T00:00:00Z", id: "" },
  }),
  { disconnected: false, revoked: false },
  { within: [""] },
  ...[{}, { within: [""] }, { within: ["", ""] }, { q: "a" }].flatMap((scope) => [
    {
      ...scope,
      disconnected: true,
      sync: ["late" as const],
      revoked: false,
      after: { at: "2025-06-01T00:00:00Z", id: "" },
    },
    { ...scope, disconnected: false, sync: ["failing" as const, "late" as const], application: "" },
  ]),
  { q: "https://a.io/b" },
  { q: "/" },
  ...["acc", "apc", "pro", "cal", "chn", "trg", "bkg", "app", "req"].map((kind) => ({
    q: `${kind}_${"0".repeat(24)}`,
  })),
];

/** `createdAt` and `revokedAt` are to the microsecond. */
export const accountPage = composed<AccountSearch & { limit: number; order?: AccountOrder }, AccountRow>({
  compose: (
    { limit, order = "newest", ...search },
    binding,
  ) => `SELECT a.id, a.kind, a.application_calendar_id AS "applicationCalendarId", a.name, a.email,
  a.application_id AS "applicationId", p.name AS "applicationName", ${placeTime("a.created_at")} AS "createdAt",
  ${placeTime("a.revoked_at")} AS "revokedAt",
  o.profiles AS "profileCount", o.disconnected AS "disconnectedCount", o.delayed AS "delayedCount",
  (SELECT count(*)::int FROM calendars WHERE account_id = a.id AND NOT deleted) AS "calendarCount",
  (SELECT count(*)::int FROM provider_writes w WHERE w.account_id = a.id AND ${isOver("w")}) AS "refusedCount"
FROM (${first(search, { order, limit }, binding)}) a
JOIN applications p ON p.id = a.application_id
CROSS JOIN LATERAL (SELECT count(*)::int AS profiles, (count(*) FILTER (WHERE NOT m.connected))::int AS disconnected,
  (count(*) FILTER (WHERE m.connected AND s.sync_failures >= ${FEWEST_FAILURES}))::int AS delayed
  FROM profiles m JOIN profile_syncs s ON s.profile_id = m.id WHERE m.account_id = a.id) o ${orderBy[order]("a")}`,
  columns: {
    id: text,
    kind: oneOf<AccountRow["kind"]>(),
    applicationCalendarId: nullable(text),
    name: text,
    email: text,
    applicationId: text,
    applicationName: text,
    createdAt: text,
    revokedAt: nullable(text),
    profileCount: int4,
    disconnectedCount: int4,
    delayedCount: int4,
    calendarCount: int4,
    refusedCount: int4,
  },
  samples: samples.flatMap((search) => orders.map((order) => ({ ...search, order, limit: 1 }))),
});

/** Up to one more than the cap. */
export const accountCount = composed<AccountSearch, { count: number }>({
  compose: (search, binding) => {
    const troubled = troubledFirst(search, MOST_COUNTED + 1, binding);
    const matches = troubled
      ? `(${troubled.join(") UNION (")})`
      : `SELECT FROM accounts ${whereClause(search, binding)}`;
    return `SELECT count(*)::int AS count FROM (SELECT FROM (${matches}) b LIMIT ${MOST_COUNTED + 1}) a`;
  },
  columns: { count: int4 },
  samples,
});

const conditionsOf: ConditionsOf<AccountSearch> = {
  id: (id, { put }) => `id = ${put(id)}`,
  q: searchCondition,
  application: (id, { put }) => `application_id = ${put(id)}`,
  within: (ids, { put }) => applicationCondition("application_id", ids, put).join(" AND "),
  disconnected: (isSo, { put }) => `${isSo ? "" : "NOT "}${hasMailbox.disconnected(put)}`,
  sync: (states, { put }) => `(${states.map((state) => hasMailbox[state](put)).join(" OR ") || "true"})`,
  revoked: (isSo) => `revoked_at IS ${isSo ? "NOT NULL" : "NULL"}`,
  after: (after, { put }) => isAfter.newest(after, put),
};

/**
 * Returns SQL for the first accounts in an order. The page of several applications combines one look at each, because
 * an index in the order of a page serves one application only.
 */
function first(
  { within: several, after: cursor, ...search }: AccountSearch,
  { order, limit }: { order: AccountOrder; limit: number },
  binding: Binding,
): string {
  const after = cursor && order !== "newest" ? [isAfter[order](cursor, binding.put)] : [];
  // Mailboxes in trouble have indexes in the first order. In another one they are sorted, as many as are counted.
  const [ofPage, most] = order === "newest" ? [{ ...search, after: cursor }, limit] : [search, MOST_COUNTED];
  if (several === undefined || several.length < 2 || several.length > MOST_LOOKS) {
    const whole = { ...ofPage, within: several };
    const troubled = troubledFirst(whole, most, binding);
    const all = [...(troubled ? [isAmong(troubled)] : conditionsFor(conditionsOf, whole, binding)), ...after, "true"];
    return `SELECT * FROM accounts WHERE ${all.join(" AND ")} ${orderBy[order]("accounts")} LIMIT ${limit}`;
  }
  const isOwn = (table: string) => `${table}.application_id = o.application`;
  const troubled = troubledFirst(ofPage, most, binding, isOwn);
  const own = troubled ? [isAmong(troubled)] : [...conditionsFor(conditionsOf, ofPage, binding), isOwn("accounts")];
  // Hides the limit from PostgreSQL, which without statistics would read and sort all accounts of an application.
  const each = `SELECT * FROM accounts WHERE ${[...own, ...after].join(" AND ")} ${orderBy[order]("accounts")} LIMIT (SELECT ${limit})`;
  return `SELECT a.* FROM unnest(${binding.put(several)}::text[]) o(application) CROSS JOIN LATERAL (${each}) a ${orderBy[order]("a")} LIMIT ${limit}`;
}

const isAmong = (selects: readonly string[]) => `id = ANY (${selects.map((ids) => `ARRAY(${ids})`).join(" || ")})`;

/**
 * Returns SQL for the first account ids of a search for mailboxes in trouble, as one SELECT for each trouble: those are
 * rare, and in the order of the page all accounts would be read. Null: no trouble is searched for, or another filter
 * finds fewer.
 */
function troubledFirst(search: AccountSearch, limit: number, binding: Binding, isOwn?: (table: string) => string) {
  const { id, q, application, within: several, after, ...others } = search;
  const { disconnected, sync, ...rest } = others;
  const troubles = disconnected ? (["disconnected"] as const) : (sync ?? []);
  if (troubles.length === 0 || id !== undefined || q !== undefined) return null;
  const { put } = binding;
  const conditions = conditionsFor(conditionsOf, { ...rest, ...(disconnected ? { sync } : { disconnected }) }, binding);
  const applications = (table: string) => [
    ...(application === undefined ? [] : [`${table}.application_id = ${put(application)}`]),
    ...(several === undefined ? [] : applicationCondition(`${table}.application_id`, several, put)),
    ...(isOwn ? [isOwn(table)] : []),
  ];
  return troubles.map((trouble) => troubledIds[trouble]({ applications, after, others: conditions, limit }, put));
}

function whereClause(search: AccountSearch, binding: Binding): string {
  const all = conditionsFor(conditionsOf, search, binding);
  return all.length === 0 ? "" : `WHERE ${all.join(" AND ")}`;
}

/** Sent once it is due, or once its user reconnects: what the page of an account calls pending. */
const isPending = isPendingWrite("w", { profile: "p", sync: "s" });

export const accountState = statement<
  Pick<AccountHead, "defaultTzid" | "waitingWrites" | "openChannels" | "noteCount">
>(
  `SELECT default_tzid AS "defaultTzid", (SELECT count(*)::int FROM provider_writes w JOIN profiles p ON p.id = w.profile_id
  JOIN profile_syncs s ON s.profile_id = p.id WHERE w.account_id = a.id AND ${isPending})
  AS "waitingWrites", (SELECT count(*)::int FROM channels WHERE account_id = a.id AND closed_at IS NULL) AS "openChannels",
  (SELECT count(*)::int FROM account_notes WHERE account_id = a.id) AS "noteCount" FROM accounts a WHERE id = $1`,
  { defaultTzid: text, waitingWrites: int4, openChannels: int4, noteCount: int4 },
);

/** Rows whose times are still Date objects. */
type Dated<Row, Times extends keyof Row> = Omit<Row, Times> & {
  [Name in Times]: Date | (null extends Row[Name] ? null : never);
};

interface StoredProfile
  extends Dated<
    Omit<AccountProfile, "reconnectPath" | "provider" | "providerLabel" | "service">,
    "lastSyncAt" | "syncDueAt" | "createdAt" | "disconnectedAt"
  > {
  provider: Provider;
  service: ProviderService;
  /** What its CalDAV server is called. Null: it is at another provider. */
  server: string | null;
  clientId: string;
  redirectUri: string | null;
}

/** Returns SQL for the host of a feed's address: all of it that may be shown. */
const hostOfFeed = (profile: string) =>
  `CASE WHEN ${profile}.provider = 'feed' THEN split_part(${profile}.subject, '/', 1) END`;

export const profilesOfAccount = statement<StoredProfile>(
  `SELECT p.id, p.provider, p.service, p.name, ${hostOfFeed("p")} AS host, ${caldavServerOf("p")} AS server, p.access, p.connected, p.disconnected_at AS "disconnectedAt",
  (SELECT count(*)::int FROM provider_writes w WHERE w.account_id = p.account_id AND w.profile_id = p.id AND ${isPending}) AS "waitingWrites",
  p.initial_sync_required AS "initialSyncRequired", s.last_sync_at AS "lastSyncAt", s.sync_due_at AS "syncDueAt",
  s.sync_failures AS "syncFailures", s.sync_error AS "syncError", p.created_at AS "createdAt", a.client_id AS "clientId", r.uri AS "redirectUri",
  (SELECT coalesce(json_agg(json_build_object('createdAt', t.created_at, 'expiresAt', t.expires_at, 'usedAt', t.used_at)), '[]')
    FROM (SELECT created_at, expires_at, used_at FROM link_tokens WHERE account_id = p.account_id AND profile_id = p.id
      AND expires_at > coalesce($2::timestamptz, clock_timestamp()) ORDER BY created_at DESC LIMIT 10) t) AS "reconnectLinks"
FROM profiles p JOIN profile_syncs s ON s.profile_id = p.id JOIN applications a ON a.id = p.application_id
LEFT JOIN LATERAL (SELECT uri FROM redirect_uris WHERE application_id = p.application_id
  ORDER BY uri NOT LIKE 'https:%', created_at, uri LIMIT 1) r ON true
WHERE p.account_id = $1 ORDER BY p.created_at, p.id`,
  {
    id: text,
    provider: oneOf<Provider>(),
    service: oneOf<ProviderService>(),
    name: text,
    host: nullable(text),
    server: nullable(text),
    access: textOf<Access>(),
    connected: bool,
    disconnectedAt: nullable(timestamp),
    waitingWrites: int4,
    initialSyncRequired: bool,
    lastSyncAt: nullable(timestamp),
    syncDueAt: nullable(timestamp),
    syncFailures: int4,
    syncError: nullable(text),
    createdAt: timestamp,
    reconnectLinks: jsonText<AccountProfile["reconnectLinks"]>(),
    clientId: text,
    redirectUri: nullable(text),
  },
);

export const channelsOfAccount = statement<
  Dated<Omit<AccountChannel, "state">, "createdAt" | "closedAt" | "failingSince" | "pausedAt"> & { failing: boolean }
>(
  `SELECT c.id, c.callback_url AS "callbackUrl", c.created_at AS "createdAt", c.closed_at AS "closedAt", c.closed_by AS "closedBy",
  c.failing, c.failing_since AS "failingSince", c.paused_at AS "pausedAt", ${triggerSelected}
FROM channels c WHERE c.account_id = $1 ORDER BY c.closed_at IS NOT NULL, c.created_at DESC, c.id LIMIT ${MOST}`,
  {
    ...{ id: text, callbackUrl: text, createdAt: timestamp, closedAt: nullable(timestamp), closedBy: nullable(text) },
    ...{ failing: bool, failingSince: nullable(timestamp), pausedAt: nullable(timestamp) },
    ...triggerColumns,
  },
);

export interface FailedWriteRow
  extends Dated<Omit<FailedWrite, "when" | "repeats">, "refusedAt" | "dueAt" | "createdAt"> {
  starts: Date;
  ends: Date;
  allDay: boolean;
  tzid: string | null;
  /** For a series that the application wrote. */
  rule: Rule | null;
  /** For a provider's series: the number of its rules, and the first one. */
  rules: number | null;
  rrule: string | null;
}

export const failedWritesOfAccount = statement<FailedWriteRow>(
  `SELECT w.id::text, w.calendar_id AS "calendarId", w.profile_id AS "profileId", e.event_id AS "eventId", w.attempts, w.last_error AS "lastError",
  w.refused_at AS "refusedAt", ${stateOf("w", "clock_timestamp()")} AS state, ${isWaitingForReconnect("w", { profile: "p", sync: "s" })} AS "waitsForReconnect", CASE WHEN ${isUnsent("w")} THEN w.due_at END AS "dueAt", w.created_at AS "createdAt",
  e.starts, e.ends, e.all_day AS "allDay", e.tzid, e.recurrence -> 'rule' AS rule,
  jsonb_array_length(e.ical_recurrence -> 'rrules') AS rules, e.ical_recurrence #>> '{rrules,0}' AS rrule
FROM provider_writes w JOIN events e ON e.calendar_id = w.calendar_id AND e.id = w.event_row JOIN profiles p ON p.id = w.profile_id JOIN profile_syncs s ON s.profile_id = p.id
WHERE w.account_id = $1 AND (${isOver("w")} OR w.last_error IS NOT NULL OR $2::boolean)
ORDER BY w.refused_at DESC NULLS LAST, w.last_error IS NULL, w.created_at DESC LIMIT ${MOST}`,
  {
    ...{ id: text, calendarId: text, profileId: text, eventId: nullable(text), attempts: int4 },
    ...{ lastError: nullable(text), refusedAt: nullable(timestamp), state: textOf<WriteState>() },
    ...{ waitsForReconnect: bool, dueAt: nullable(timestamp), createdAt: timestamp },
    ...{ starts: timestamp, ends: timestamp, allDay: bool, tzid: nullable(text) },
    ...{ rule: nullable(json<Rule>()), rules: nullable(int4), rrule: nullable(text) },
  },
);

export const isConnected = statement<{ connected: boolean }>(
  "SELECT p.connected FROM calendars c JOIN profiles p ON p.id = c.profile_id WHERE c.id = $1",
  { connected: bool },
);

const isSynced = "(s.readable AND s.provider <> 'hosted')";

export const makeSyncDue = statement<{ accountId: string; isSynced: boolean }>(
  `UPDATE profile_syncs s SET sync_due_at = CASE WHEN ${isSynced} THEN coalesce($2::timestamptz, clock_timestamp()) ELSE sync_due_at END, poll_due_at = NULL
FROM profiles p WHERE s.profile_id = $1 AND p.id = s.profile_id RETURNING p.account_id AS "accountId", ${isSynced} AS "isSynced"`,
  { accountId: text, isSynced: bool },
);
