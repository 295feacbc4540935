import { type Branch, branches, instant, longScan, mainScan, states } from "@/server/db/pages/branches";
import type { Frame, Position } from "@/server/db/pages/frame";
import { type Parameters, parameters } from "@/server/db/pages/parameters";
import { total } from "@/server/db/pages/total";
import type { Instant } from "@/server/domain/time/instant";
import type { Zone } from "@/server/domain/time/zone";

export interface PageRequest {
  accountId: string;
  endpoint: "events" | "free_busy";
  frame: Frame;
  zone: Zone;
  /** Where the last page ended; null for the first. */
  position: Position | null;
  /** Calendars asked for by id, on the first page; later pages name them by number in the frame. */
  calendarIds: readonly string[] | null;
  /** Rows wanted: one more than the page holds tells whether there is another. */
  rows: number;
}

export interface PageShape {
  /** Columns of the occurrence `o` that the scans carry. */
  scanned: string;
  /** What the statement returns, from the chosen rows `k`, and what it joins to them. */
  selected: string;
  joined: string;
}

/**
 * One page of a read as one statement: for each calendar and authorship a scan of the window index in the order of the
 * page, merged, cut, and only then joined. Its columns `at` (epoch seconds), `total` and `numbers` (first page only) come
 * with every row.
 */
export function pageStatement(request: PageRequest, shape: PageShape): { text: string; values: unknown[] } {
  const p = parameters();
  const sources = source(request, p);
  const found = branches(request.frame, request.zone, request.position, p);
  const keep = request.frame.modifiedSince === null ? null : modified(request.frame.modifiedSince, p);
  const limit = p.put(request.rows, "int");
  const scans = found.flatMap((branch) => branchScans(branch, { request, shape, keep, limit, p }));
  const counted = request.position ? null : total(request, found, keep, p);
  const text = `WITH src AS MATERIALIZED (${sources}),
k AS (SELECT k.* FROM src s CROSS JOIN LATERAL (${scans.join(" UNION ALL ")}) k ORDER BY k.at, k.uid LIMIT ${limit})
${counted ? `, counted AS MATERIALIZED (${counted})` : ""}
SELECT date_part('epoch', k.at) AS at, ${shape.selected}${counted ? ", (SELECT n FROM counted)::float8 AS total, (SELECT array_agg(DISTINCT number) FROM src) AS numbers" : ""}
FROM k ${shape.joined} ORDER BY k.at, k.uid`;
  return { text, values: p.values };
}

function source({ accountId, frame, calendarIds }: PageRequest, p: Parameters): string {
  const whose = frame.managed === "both" ? "(VALUES (false), (true))" : `(VALUES (${frame.managed === "own"}))`;
  const conditions = [`c.account_id = ${p.put(accountId)}`];
  if (calendarIds) conditions.push(`c.id = ANY(${p.put(calendarIds, "text[]")})`);
  else if (frame.calendars) conditions.push(`c.number = ANY(${p.put(frame.calendars, "int[]")})`);
  return `SELECT c.id, c.number, m.managed FROM calendars c CROSS JOIN ${whose} AS m(managed) WHERE ${conditions.join(" AND ")}`;
}

interface Scan {
  request: PageRequest;
  shape: PageShape;
  keep: string | null;
  limit: string;
  p: Parameters;
}

function branchScans(branch: Branch, { request, shape, keep, limit, p }: Scan): string[] {
  const state = states({ endpoint: request.endpoint, includeDeleted: request.frame.includeDeleted });
  return [mainScan(branch, p), longScan(branch, p)]
    .filter((where) => where !== null)
    .map(
      (where) => `(SELECT ${shape.scanned}, ${branch.at} AS at FROM occurrences o
WHERE o.calendar_id = s.id AND o.managed = s.managed AND ${state} AND ${where}${keep ? ` AND ${keep}` : ""}
ORDER BY o.starts, o.uid LIMIT ${limit})`,
    );
}

function modified(micros: number, p: Parameters): string {
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = micros - seconds * 1_000_000;
  const since = instant(p, (seconds * 1000) as Instant);
  return `o.updated_at >= ${since} + ${p.put(fraction, "int")} * interval '1 microsecond'`;
}
