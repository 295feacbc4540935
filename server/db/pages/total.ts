import { type Branch, instant, states } from "@/server/db/pages/branches";
import type { Parameters } from "@/server/db/pages/parameters";
import type { PageRequest } from "@/server/db/pages/statement";
import type { Instant } from "@/server/domain/time/instant";

const DAY_MS = 86_400_000;

/**
 * SQL that counts the rows of a window exactly (decisions.md, "Reads": `pages.total`). Whole UTC days come from
 * `calendar_days`, which a trigger keeps; only the days that the window cuts, and what reaches into it, are counted.
 * A read of what changed counts its rows, of which there are few.
 */
export function total(request: PageRequest, branches: Branch[], keep: string | null, p: Parameters): string {
  const state = states({ endpoint: request.endpoint, includeDeleted: request.frame.includeDeleted });
  const base = `o.calendar_id = s.id AND o.managed = s.managed AND ${state}`;
  const terms = branches.flatMap((branch) =>
    keep ? [rows(`${base} AND ${keep} AND ${whole(branch, p)}`)] : counts(branch, { base, sum: summed(request), p }),
  );
  return `SELECT coalesce(sum(${terms.join(" + ")}), 0) AS n FROM src s`;
}

function summed({ endpoint, frame }: PageRequest): string {
  if (endpoint === "free_busy") return "d.live";
  return frame.includeDeleted ? "d.live + d.declined + d.deleted" : "d.live + d.declined";
}

function counts(branch: Branch, { base, sum, p }: { base: string; sum: string; p: Parameters }): string[] {
  const kind = `o.all_day = ${branch.allDay}`;
  const firstDay = (Math.ceil(branch.from / DAY_MS) * DAY_MS) as Instant;
  const lastDay = (Math.floor(branch.to / DAY_MS) * DAY_MS) as Instant;
  const begun = (from: Instant, to: Instant) =>
    rows(`${base} AND ${kind} AND o.starts >= ${instant(p, from)} AND o.starts < ${instant(p, to)}`);
  const terms = reaching(branch, { base: `${base} AND ${kind}`, p });
  if (firstDay >= lastDay) return [...terms, begun(branch.from, branch.to)];
  terms.push(`coalesce((SELECT sum(${sum}) FROM calendar_days d WHERE d.calendar_id = s.id AND d.managed = s.managed
AND d.all_day = ${branch.allDay} AND d.day >= ${day(p, firstDay)} AND d.day < ${day(p, lastDay)}), 0)`);
  if (branch.from < firstDay) terms.push(begun(branch.from, firstDay));
  if (lastDay < branch.to) terms.push(begun(lastDay, branch.to));
  return terms;
}

/** What began before the window and reaches into it: short spans of the day before, and long ones. */
function reaching(branch: Branch, { base, p }: { base: string; p: Parameters }): string[] {
  const lookback = instant(p, (branch.from - DAY_MS) as Instant);
  const ends = `o.ends >= ${instant(p, branch.endsFrom)}`;
  return [
    rows(`${base} AND o.starts >= ${lookback} AND o.starts < ${instant(p, branch.from)} AND ${ends}`),
    rows(`${base} AND o.is_long AND o.starts < ${lookback} AND ${ends}`),
  ];
}

function whole(branch: Branch, p: Parameters): string {
  const from = instant(p, branch.from);
  return `o.all_day = ${branch.allDay} AND o.starts < ${instant(p, branch.to)} AND (o.starts >= ${from} OR o.ends >= ${instant(p, branch.endsFrom)})`;
}

function rows(where: string): string {
  return `(SELECT count(*) FROM occurrences o WHERE ${where})`;
}

function day(p: Parameters, at: Instant): string {
  return `(${instant(p, at)} AT TIME ZONE 'UTC')::date`;
}
