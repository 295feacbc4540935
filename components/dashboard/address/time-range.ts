import { firstOf, type Params } from "@/components/dashboard/address/address";
import { shortTime } from "@/components/ui/local-time";
import { fromWallClock, wallClock } from "@/components/ui/zoned-time";

const HOUR_MS = 3_600_000;

/** The ranges available with one click, by their name in the query, `range`. */
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

/**
 * Resolves the times of the query, ISO in UTC: `range` counts back from `now`, `from` and `to` are UTC themselves. What is no range stays,
 * for the procedure to reject.
 */
export function rangeOf(params: Params, now: number): Range {
  const named = ranges.find(({ value }) => value === firstOf(params, "range"));
  if (named) return { from: new Date(now - named.hours * HOUR_MS).toISOString() };
  const unknown = firstOf(params, "range");
  return unknown ? { from: unknown } : { from: asUtc(firstOf(params, "from")), to: asUtc(firstOf(params, "to")) };
}

/** Reports whether a range ends before it starts. */
export function isBackwards({ from, to }: Range): boolean {
  return from !== undefined && to !== undefined && Date.parse(to) < Date.parse(from);
}

/** Formats the chip's range, with times in a zone. */
export function rangeWords(params: Params, zone: string): string | null {
  const named = ranges.find(({ value }) => value === firstOf(params, "range"));
  if (named) return named.label.toLowerCase();
  const { from, to } = { from: firstOf(params, "range") ?? firstOf(params, "from"), to: firstOf(params, "to") };
  if (!from && !to) return null;
  if (!to) return `since ${timeWords(from ?? "", zone)}`;
  return from ? `${timeWords(from, zone)} – ${timeWords(to, zone)}` : `until ${timeWords(to, zone)}`;
}

/** Formats a time of the query (UTC) for a field of local times. Invalid text stays unchanged. */
export function typedTime(time: string | undefined, zone: string): string | undefined {
  const at = Date.parse(asUtc(time) ?? "");
  return Number.isNaN(at) ? time : wallClock(at, zone);
}

/** Converts what was typed into such a field to a time of the query (UTC, to the second). */
export function queriedTime(typed: string, zone: string): string {
  const at = fromWallClock(typed, zone);
  return Number.isNaN(at) ? typed : new Date(at).toISOString().slice(0, "yyyy-mm-ddThh:mm:ss".length);
}

/** Formats a time: 2026-11-21 18:27 CET. */
function timeWords(time: string, zone: string): string {
  const iso = asUtc(time) ?? "";
  return Number.isNaN(Date.parse(iso)) ? time : shortTime(iso, zone);
}

/** Reads a time of the query without a zone as UTC. Invalid text is left for the procedure to reject. */
export function asUtc(time: string | undefined): string | undefined {
  if (!time) return undefined;
  const at = Date.parse(/Z$/.test(time) ? time : `${time}Z`);
  return Number.isNaN(at) ? time : new Date(at).toISOString();
}
