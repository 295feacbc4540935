/** Whole calendar days, whatever clocks do in them, and an exact time after them (RFC 5545 §3.3.6). */
export interface Duration {
  days: number;
  /** Milliseconds. */
  exact: number;
}

const MAX_LENGTH = 64;
const written = /^\+?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,10})S)?)?$/;

/** Parses `P15DT5H0M20S` or `P7W`. Returns null for any other text, and for a negative duration, which no event has. */
export function readDuration(text: string): Duration | null {
  const value = text.trim().toUpperCase();
  const parts = value.length > MAX_LENGTH || /[PT]$/.test(value) ? null : written.exec(value);
  if (!parts) return null;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return { days: weeks * 7 + days, exact: ((hours * 60 + minutes) * 60 + seconds) * 1000 };
}
