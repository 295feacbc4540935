import { type Binding, composed } from "@/server/db/composed";
import { json, nullable, text } from "@/server/db/statement";
import type { AuditRow } from "@/server/services/staff/lists/audit";
import { type PageCursor, placeTime } from "@/server/services/staff/lists/paging";

export interface AuditSearch {
  /** Only entries with one of these actions. */
  actions: readonly string[];
  operatorId?: string;
  /** All of them, as an entry has one object. */
  objects: readonly string[];
  /** Microseconds since 1970, inclusive and exclusive. */
  from?: number;
  to?: number;
  after?: PageCursor;
  limit: number;
}

const columns = `e.id::text AS id, ${placeTime("e.at")} AS at, e.operator_id AS "operatorId", e.actor, e.action, e.object, e.detail, e.address,
  e.request_id AS "requestId"`;
const newestFirst = "ORDER BY e.at DESC, e.id DESC";

/**
 * The newest entries of each action are read by an index that begins with it, and then the newest of all: a view with
 * few entries among many others is read as fast as one with many. An object has few entries: its index serves it.
 */
export const auditEntries = composed<AuditSearch, AuditRow>({
  compose: (search, binding) => {
    const { put } = binding;
    const actions = `${put(search.actions)}::text[]`;
    const conditions = conditionsOf(search, binding);
    const limit = `LIMIT ${put(search.limit)}::int`;
    if (search.objects.length > 0)
      return `SELECT ${columns} FROM audit_entries e WHERE ${[`e.action = ANY (${actions})`, ...conditions].join(" AND ")} ${newestFirst} ${limit}`;
    return `SELECT ${columns} FROM unnest(${actions}) AS a (name) CROSS JOIN LATERAL (
  SELECT * FROM audit_entries e WHERE ${["e.action = a.name", ...conditions].join(" AND ")} ${newestFirst} ${limit}) e
${newestFirst} ${limit}`;
  },
  columns: {
    ...{ id: text, at: text, operatorId: nullable(text), actor: text, action: text, object: text },
    ...{ detail: json<AuditRow["detail"]>(), address: nullable(text), requestId: nullable(text) },
  },
  samples: [
    { actions: ["signed_out"], objects: [], limit: 1 },
    {
      ...{ actions: ["signed_out"], objects: ["opr_1", "opr_1"], operatorId: "opr_1", from: 0, to: 1, limit: 1 },
      after: { at: "2026-11-21T00:00:00.000000Z", id: "1" },
    },
  ],
});

function conditionsOf({ operatorId, objects, from, to, after }: AuditSearch, { put }: Binding): string[] {
  return [
    ...(operatorId === undefined ? [] : [`e.operator_id = ${put(operatorId)}`]),
    ...objects.map((object) => `e.object = ${put(object)}`),
    ...(from === undefined ? [] : [`e.at >= ${instant(put(from))}`]),
    ...(to === undefined ? [] : [`e.at < ${instant(put(to))}`]),
    ...(after === undefined ? [] : [`(e.at, e.id) < (${put(after.at)}::timestamptz, ${put(after.id)}::bigint)`]),
  ];
}

const instant = (micros: string) => `(timestamptz 'epoch' + ${micros}::float8 * interval '1 microsecond')`;
