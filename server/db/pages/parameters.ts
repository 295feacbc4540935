import { formatInstant, type Instant } from "@/server/domain/time/instant";

/** Collects the values of one statement and gives their placeholders. */
export interface Parameters {
  values: unknown[];
  put(value: unknown, type?: string): string;
  /** An instant to the millisecond. */
  instant(at: Instant): string;
}

export function parameters(): Parameters {
  const values: unknown[] = [];
  const put = (value: unknown, type?: string) => {
    values.push(value);
    return type ? `$${values.length}::${type}` : `$${values.length}`;
  };
  return { values, put, instant: (at) => put(formatMillis(at), "timestamptz") };
}

function formatMillis(at: Instant): string {
  const millis = ((at % 1000) + 1000) % 1000;
  return millis === 0 ? formatInstant(at) : formatInstant(at).replace("Z", `.${String(millis).padStart(3, "0")}Z`);
}
