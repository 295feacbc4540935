import { civil, type Day } from "@/server/domain/time/day";
import { fourDigits, twoDigits } from "@/server/domain/time/digits";

declare const brand: unique symbol;

/** A moment: whole milliseconds since 1970-01-01T00:00:00Z. Everything the service stores lies in the years 1–9999. */
export type Instant = number & { readonly [brand]: "instant" };

export const EARLIEST = -62_135_596_800_000 as Instant;
export const LATEST = 253_402_300_799_999 as Instant;

const DAY_SECONDS = 86_400;
const MINUTE_MS = 60_000;

/** Formats an instant in UTC and whole seconds, fractions cut off: `2026-01-02T03:04:05Z` (ADR 90). Years 1–9999. */
export function formatInstant(instant: Instant): string {
  return written(instant, zuluEndings);
}

/**
 * Formats an instant in whole seconds at an offset of whole minutes east: `2026-01-02T03:04:05+01:00`, `Z` when the
 * offset is zero. Uses UTC where the offset leads out of the years 1–9999.
 */
export function formatAtOffset(instant: Instant, minutes: number): string {
  const local = instant + minutes * MINUTE_MS;
  if (minutes === 0 || local < EARLIEST || local > LATEST) return formatInstant(instant);
  return written(local, endingsAt(minutes));
}

function written(milliseconds: number, endings: readonly string[]): string {
  const seconds = Math.floor(milliseconds / 1000);
  const day = Math.floor(seconds / DAY_SECONDS);
  const ofDay = seconds - day * DAY_SECONDS;
  return datePart(day) + (minutesOfDay[Math.floor(ofDay / 60)] ?? "") + (endings[ofDay % 60] ?? "");
}

const zuluEndings = secondsWith("Z");
const endingsByOffset = new Map<number, readonly string[]>();

function endingsAt(minutes: number): readonly string[] {
  const ending = endingsByOffset.get(minutes);
  if (ending) return ending;
  const east = Math.abs(minutes);
  const made = secondsWith(`${minutes < 0 ? "-" : "+"}${twoDigits(Math.floor(east / 60))}:${twoDigits(east % 60)}`);
  endingsByOffset.set(minutes, made);
  return made;
}

function secondsWith(suffix: string): readonly string[] {
  return Array.from({ length: 60 }, (_, second) => `:${twoDigits(second)}${suffix}`);
}

const minutesOfDay = Array.from({ length: 1440 }, (_, m) => `${twoDigits(Math.floor(m / 60))}:${twoDigits(m % 60)}`);

// A page of events needs the same few days a thousand times over.
const recent: { day: number; text: string }[] = Array.from({ length: 256 }, () => ({ day: Number.NaN, text: "" }));

function datePart(day: number): string {
  const slot = recent[day & 255];
  if (slot?.day === day) return slot.text;
  const { year, month, dayOfMonth } = civil(day as Day);
  const text = `${fourDigits(year)}-${twoDigits(month)}-${twoDigits(dayOfMonth)}T`;
  if (slot) {
    slot.day = day;
    slot.text = text;
  }
  return text;
}
