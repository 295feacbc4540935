import { firstOf, type Params } from "@/components/dashboard/address";

const HOUR_MS = 3_600_000;

/** The ranges that one click gives; the query has their name as `range`. */
export const ranges: readonly { value: string; label: string; hours: number }[] = [
  { value: "1h", label: "Last hour", hours: 1 },
  { value: "24h", label: "Last 24 hours", hours: 24 },
  { value: "7d", label: "Last 7 days", hours: 168 },
  { value: "30d", label: "Last 30 days", hours: 720 },
];

export interface Range {
  from?: string;
  to?: string;
}

/** The times that the query means, ISO in UTC: `range` counts back from `now`, `from` and `to` are UTC themselves. */
export function rangeOf(params: Params, now: number): Range {
  const named = ranges.find(({ value }) => value === firstOf(params, "range"));
  if (named) return { from: new Date(now - named.hours * HOUR_MS).toISOString() };
  return { from: asUtc(firstOf(params, "from")), to: asUtc(firstOf(params, "to")) };
}

/** What the chip says. */
export function rangeWords(params: Params): string | null {
  const named = ranges.find(({ value }) => value === firstOf(params, "range"));
  if (named) return named.label.toLowerCase();
  const { from, to } = { from: firstOf(params, "from"), to: firstOf(params, "to") };
  if (!from && !to) return null;
  const words = (time: string) => time.replace("T", " ");
  if (!to) return `since ${words(from ?? "")} UTC`;
  return from ? `${words(from)} – ${words(to)} UTC` : `until ${words(to)} UTC`;
}

/** A form's local time without a zone is meant as UTC; what is no time is left for the procedure to refuse. */
function asUtc(time: string | undefined): string | undefined {
  if (!time) return undefined;
  const at = Date.parse(/Z$/.test(time) ? time : `${time}Z`);
  return Number.isNaN(at) ? time : new Date(at).toISOString();
}
