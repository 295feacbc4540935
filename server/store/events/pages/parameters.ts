import type { Binding } from "@/server/db/composed";
import { formatInstant, type Instant } from "@/server/domain/time/instant";

/** Collects the values of one statement and returns their placeholders. */
export interface Parameters {
  put(value: unknown, type?: string): string;
  /** Adds a value that the planner must not use for an estimate: it then estimates as for any value, so that one plan suits all. */
  hide(value: unknown, type: string): string;
  /** Adds an instant, to the millisecond. */
  instant(at: Instant): string;
}

export function parameters(binding: Binding): Parameters {
  const put = (value: unknown, type?: string) => (type ? `${binding.put(value)}::${type}` : binding.put(value));
  const hide = (value: unknown, type: string) => `(SELECT ${put(value, type)})::${type}`;
  return { put, hide, instant: (at) => put(formatMillis(at), "timestamptz") };
}

function formatMillis(at: Instant): string {
  const millis = ((at % 1000) + 1000) % 1000;
  return millis === 0 ? formatInstant(at) : formatInstant(at).replace("Z", `.${String(millis).padStart(3, "0")}Z`);
}
