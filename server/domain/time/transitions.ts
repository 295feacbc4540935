/** A change of clocks: from `at` (milliseconds since 1970 UTC) on, they are `offset` seconds ahead of UTC. */
export interface Step {
  at: number;
  offset: number;
}

const SECOND_MS = 1000;
// tzdb's shortest span between two changes since 1900 is just under four days (Africa/Freetown 1939).
const PROBE_MS = 3 * 86_400_000;
// Before the first of these years no clock was changed twice within weeks, and after the last only rules are known.
const FAR_PROBE_MS = 25 * 86_400_000;
const [EARLIEST_NEAR, LATEST_NEAR] = [Date.UTC(1900, 0), Date.UTC(2100, 0)];
const shown = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/**
 * Creates the formatter that reads the offsets of a time zone. Keep it: each takes some 40 KB that the garbage
 * collector does not see.
 */
export function offsetFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
}

/**
 * Reads the offsets of a time zone over a span from Intl.
 * @param format the zone's `offsetFormat`
 * @param from whole seconds, in milliseconds since 1970 UTC
 * @param to exclusive
 * @returns the offset at `from`, then every change before `to`, to the second
 */
export function transitions(format: Intl.DateTimeFormat, from: number, to: number): [Step, ...Step[]] {
  const steps: [Step, ...Step[]] = [{ at: from, offset: offset(format, from) }];
  let left: Step = steps[0];
  const last = to - SECOND_MS;
  while (left.at < last) {
    const isNear = left.at > EARLIEST_NEAR - FAR_PROBE_MS && left.at < LATEST_NEAR;
    const at = Math.min(left.at + (isNear ? PROBE_MS : FAR_PROBE_MS), last);
    const right = { at, offset: offset(format, at) };
    if (right.offset === left.offset) {
      left = right;
    } else {
      left = firstChange(format, left, right);
      steps.push(left);
    }
  }
  return steps;
}

function firstChange(format: Intl.DateTimeFormat, left: Step, right: Step): Step {
  let unchanged = left.at;
  let changed = right;
  while (changed.at - unchanged > SECOND_MS) {
    const at = unchanged + Math.floor((changed.at - unchanged) / 2 / SECOND_MS) * SECOND_MS;
    const probe = { at, offset: offset(format, at) };
    if (probe.offset === left.offset) unchanged = at;
    else changed = probe;
  }
  return changed;
}

function offset(format: Intl.DateTimeFormat, at: number): number {
  const text = format.format(at);
  const parts = shown.exec(text);
  if (!parts) throw new Error(`Intl wrote an offset that cannot be read: ${text}`);
  const [, sign, hours = "0", minutes = "0", seconds = "0"] = parts;
  const east = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === "-" ? -east : east;
}
