import { type Binding, composed } from "@/server/db/composed";
import { nullable, text, textOf } from "@/server/db/statement";
import { type EndpointPatterns, endpointLike } from "@/server/services/staff/deliveries/names.sql";
import { applicationCondition } from "@/server/services/staff/procedure/scope";
import type { FoundThing } from "@/server/services/staff/search/shapes";
import { type Days, everyDay, isOfDays } from "@/server/store/deliveries/days";

/** How many results of each kind. */
const MOST = 5;

/** How many events with the same application id are read to find those of some applications. */
const MOST_EVENTS = 10_000;

/** The name of an endpoint is its callback URL here. */
export type StoredSearchResult = FoundThing;

interface Scoped {
  /** Restricts the search to these applications; null: all. */
  applications: readonly string[] | null;
}

const columns = {
  kind: textOf<FoundThing["kind"]>(),
  id: text,
  name: text,
  applicationName: nullable(text),
  accountName: nullable(text),
  state: nullable(text),
};

const nameOfAccount = "coalesce(a.application_calendar_id, nullif(a.email, ''), nullif(a.name, ''), a.id)";
const stateOfChannel =
  "CASE WHEN c.closed_at IS NOT NULL THEN 'closed' WHEN c.paused_at IS NOT NULL THEN 'paused' WHEN c.failing AND p.disabled_at IS NULL THEN 'failing' END";

interface SelectInput extends Record<"id" | "name" | "application" | "state", string> {
  account?: string;
}

const select = (kind: FoundThing["kind"], { id, name, application, account = "NULL", state }: SelectInput) =>
  `SELECT '${kind}' AS kind, ${id}::text AS id, ${name} AS name, ${application} AS "applicationName", ${account}::text AS "accountName", ${state} AS state`;

const account = `${select("account", { id: "a.id", name: nameOfAccount, application: "p.name", state: "CASE WHEN a.revoked_at IS NOT NULL THEN 'revoked' END" })}
FROM accounts a JOIN applications p ON p.id = a.application_id`;
const endpoint = `${select("endpoint", { id: "c.id", name: "c.callback_url", application: "p.name", account: nameOfAccount, state: stateOfChannel })}
FROM channels c JOIN accounts a ON a.id = c.account_id JOIN applications p ON p.id = a.application_id`;
const application = `${select("application", { id: "p.id", name: "p.name", application: "NULL::text", state: "CASE WHEN p.disabled_at IS NOT NULL THEN 'disabled' END" })}
FROM applications p`;
/**
 * Returns SQL for events `e`. Each owner is looked up by itself: PostgreSQL, which may have no statistics, would
 * otherwise read all owners.
 */
const event = (events: string) => `${select("event", {
  ...{ id: "e.id", name: "coalesce(e.event_id, e.id)", application: "p.name", account: nameOfAccount },
  state: "CASE WHEN e.deleted_at IS NOT NULL THEN 'deleted' END",
})}
FROM (${events}) e CROSS JOIN LATERAL (SELECT account_id FROM calendars WHERE id = e.calendar_id OFFSET 0) k
CROSS JOIN LATERAL (SELECT id, application_id, application_calendar_id, email, name FROM accounts WHERE id = k.account_id OFFSET 0) a JOIN applications p ON p.id = a.application_id`;
/** Returns SQL for the events whose row or one of whose occurrences has an id. */
const eventsWithUid = (id: string) =>
  `SELECT * FROM events WHERE id = ${id} AND deleted_at IS NULL UNION ALL SELECT * FROM events WHERE id = ${id} AND deleted_at IS NOT NULL UNION ALL SELECT m.* FROM occurrences o
  CROSS JOIN LATERAL (SELECT * FROM events WHERE calendar_id = o.calendar_id AND id = o.master_id OFFSET 0) m WHERE o.uid = ${id} AND o.uid <> o.master_id`;
/** Returns SQL for the events that an application calls so: of deleted ones the last of each calendar that has no other. */
const eventsCalled = (id: string) => [
  `SELECT * FROM events WHERE event_id = ${id} AND deleted_at IS NULL LIMIT ${MOST_EVENTS}`,
  `SELECT DISTINCT ON (d.calendar_id) d.* FROM (SELECT * FROM events WHERE event_id = ${id} AND deleted_at IS NOT NULL LIMIT ${MOST_EVENTS}) d
  WHERE NOT EXISTS (SELECT FROM events o WHERE o.calendar_id = d.calendar_id AND o.event_id = d.event_id AND o.deleted_at IS NULL) ORDER BY d.calendar_id, d.deleted_at DESC`,
];
const delivery = `${select("delivery", { id: "d.id", name: "c.callback_url", application: "p.name", state: "d.state::text" })}
FROM deliveries d JOIN channels c ON c.id = d.channel_id JOIN applications p ON p.id = d.application_id`;
const request = `${select("request", { id: "r.id", name: "r.method || ' ' || r.path", application: "p.name", state: "r.status::text" })}
FROM request_logs r LEFT JOIN applications p ON p.id = r.application_id`;

const byId = {
  chn: (id: string) => `${endpoint} WHERE c.id = ${id}`,
  trg: (id: string) => `${endpoint} WHERE c.id = (SELECT channel_id FROM triggers WHERE id = ${id})`,
  bkg: (id: string) => `${account} WHERE a.id = (SELECT account_id FROM bookings WHERE id = ${id})`,
  acc: (id: string) => `${account} WHERE a.id = ${id}`,
  pro: (id: string) => `${account} WHERE a.id = (SELECT account_id FROM profiles WHERE id = ${id})`,
  cal: (id: string) => `${account} WHERE a.id = (SELECT account_id FROM calendars WHERE id = ${id})`,
  app: (id: string) => `${application} WHERE p.id = ${id}`,
  evt: (id: string) => `${event(eventsWithUid(id))} WHERE true`,
  /** The log's own id of a request. */
  log: (id: string) => `${request} WHERE (r.id = ${id}::uuid OR r.request_id = ${id}::text)`,
  req: (id: string) => `${request} WHERE r.request_id = ${id}`,
};
export type IdKind = keyof typeof byId;

/** A delivery by its id. */
export const deliveryById = composed<Scoped & { id: string; days: Days }, StoredSearchResult>({
  compose: ({ id, days, applications }, { put }) =>
    [
      `${delivery} WHERE d.id = ${put(id)}`,
      isOfDays("d", put(days.from), put(days.before)),
      ...applicationCondition("p.id", applications, put),
    ].join(" AND "),
  columns,
  samples: [null, ["app_1"], ["app_1", "app_2"]].map((applications) => ({ id: "whd_1", days: everyDay, applications })),
});

/** The object with an id; for a request's id, which callers may repeat, several. */
export const objectsById = composed<Scoped & { kind: IdKind; id: string }, StoredSearchResult>({
  compose: ({ kind, id, applications }, { put }) =>
    `${[byId[kind](put(id)), ...applicationCondition("p.id", applications, put)].join(" AND ")} LIMIT ${MOST}`,
  columns,
  samples: (Object.keys(byId) as IdKind[]).flatMap((kind) =>
    [null, ["app_1"], ["app_1", "app_2"]].map((applications) => ({
      kind,
      applications,
      id: "0f6f2f36-0000-4000-8000-000000000000",
    })),
  ),
});

export interface TypedText extends Scoped {
  /** Patterns: for a part of an application's name, and for the beginning of an email or an application's name for a calendar. */
  part: string;
  begins: string;
  /** The text itself, which may be an application's id for an event. */
  text: string;
  endpoints: EndpointPatterns;
  /** Set if it may be the id that a caller gave a request. */
  request: string | null;
}

/** Returns the condition for applications, except those being deleted, whose name contains a part or whose client ID begins so. */
const isNamed = (part: string, begins: string) =>
  `(lower(p.name) LIKE lower(${part}) OR lower(p.client_id) LIKE lower(${begins})) AND p.deleted_at IS NULL`;

export const applicationsLike = composed<Scoped & Pick<TypedText, "part" | "begins">, StoredSearchResult>({
  compose: ({ part, begins, applications }, { put }) =>
    `${application} WHERE ${[isNamed(put(part), put(begins)), ...applicationCondition("p.id", applications, put)].join(" AND ")} ORDER BY p.name, p.id LIMIT ${MOST}`,
  columns,
  samples: [null, ["app_1"], ["app_1", "app_2"]].map((applications) => ({ part: "%a%", begins: "a%", applications })),
});

/**
 * Returns one query for each way to find something. Each reads one index and stops after its first few rows, so that a
 * common beginning is not read completely.
 */
function queriesFor(
  { part, begins, text, endpoints, request: id, applications }: TypedText,
  binding: Binding,
): string[] {
  const { put } = binding;
  const scope = applicationCondition("p.id", applications, put);
  const some = (from: string, conditions: string[]) => `(${from} WHERE ${conditions.join(" AND ")} LIMIT ${MOST})`;
  return [
    some(application, [isNamed(put(part), put(begins)), ...scope]),
    some(account, [`lower(a.email) LIKE lower(${put(begins)})`, ...scope]),
    some(account, [`a.application_calendar_id LIKE ${put(begins)}`, ...scope]),
    ...endpointLike(endpoints, put).map((condition) => some(endpoint, [condition, "c.closed_at IS NULL", ...scope])),
    ...eventsCalled(put(text)).map((events) => some(event(events), ["true", ...scope])),
    ...(id === null ? [] : [some(request, [`r.request_id = ${put(id)}`, ...scope])]),
  ];
}

/** Objects that begin like a text, each once even if found in several ways. */
export const objectsLike = composed<TypedText, StoredSearchResult>({
  compose: (typed, binding) => queriesFor(typed, binding).join("\nUNION "),
  columns,
  samples: [
    {
      part: "%a%",
      begins: "a%",
      text: "a",
      endpoints: { begins: [], liesBelow: [], paths: [], parts: [] },
      request: null,
      applications: null,
    },
    {
      ...{ part: "%a%", begins: "a%", text: "a", request: "a", applications: ["app_1", "app_2"] },
      endpoints: { begins: ["a%"], liesBelow: ["a.%"], paths: ["/a%"], parts: [{ segments: ["a"], pattern: "%/a%" }] },
    },
  ],
});
