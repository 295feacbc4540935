import type { RuleSeries } from "@/server/domain/events/event-state";

/** The exception of one day of a series. Days without one are omitted. */
export type Exception = "skipped" | RuleSeries["changed"][number];

/** Indexes the exceptions of a series by day. */
export function exceptionsByDay(series: Pick<RuleSeries, "skipped" | "changed"> | null): Map<string, Exception> {
  return new Map<string, Exception>([
    ...(series?.skipped ?? []).map((day) => [day, "skipped"] as const),
    ...(series?.changed ?? []).map((change) => [change.day, change] as const),
  ]);
}
