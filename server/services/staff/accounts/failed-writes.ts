import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { rruleText } from "@/server/domain/merge/to-ical-recurrence";
import { ruleInWords } from "@/server/domain/recurrence/rule-words";
import type { Instant } from "@/server/domain/time/instant";
import { zone } from "@/server/domain/time/zone";
import { spanInWords } from "@/server/domain/time/zoned-words";
import { type FailedWriteRow, failedWritesOfAccount } from "@/server/services/staff/accounts/accounts.sql";
import type { FailedWrite } from "@/server/services/staff/accounts/shapes";

const CUSTOM = "by a custom rule";

/**
 * Reads the writes of an account that its providers refused or that failed, the refused ones first, with the times of
 * their events but not their texts; `withWaiting`: also those without an attempt yet.
 */
export async function readFailedWrites(
  query: Query,
  accountId: string,
  { withWaiting = false }: { withWaiting?: boolean } = {},
): Promise<FailedWrite[]> {
  const rows = await run(query, failedWritesOfAccount, [accountId, withWaiting]);
  return rows.map(({ starts, ends, allDay, tzid, rule, rules, rrule, ...row }) => ({
    ...row,
    when: spanInWords({ starts: instant(starts), ends: instant(ends), allDay }, tzid),
    repeats: repetitionText({ allDay, tzid, rule, rules, rrule }),
    refusedAt: row.refusedAt?.toISOString() ?? null,
    dueAt: row.dueAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }));
}

/** Describes how a stored event repeats. Null: it does not repeat. */
export function repetitionText({
  allDay,
  tzid,
  rule,
  rules,
  rrule,
}: Pick<FailedWriteRow, "allDay" | "tzid" | "rule" | "rules" | "rrule">) {
  const on = allDay || tzid === null ? null : zone(tzid);
  if (rule) return ruleInWords(rruleText(rule, { allDay, zone: on }), on && tzid) ?? CUSTOM;
  if (rules === null) return null;
  return (rules === 1 && rrule !== null && ruleInWords(rrule, on && tzid)) || CUSTOM;
}

const instant = (at: Date) => at.getTime() as Instant;
