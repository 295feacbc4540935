import { firstOf, type Params } from "@/components/dashboard/address/address";
import { ranges } from "@/components/dashboard/address/time-range";
import type { Filter, Option } from "@/components/dashboard/filters/spec";
import { REQUESTS } from "@/components/dashboard/requests/filters";

export const REQUEST_ERRORS = `${REQUESTS}/errors`;

const LONGEST_HOURS = 168;
const periods = ranges.filter(({ hours }) => hours <= LONGEST_HOURS);
const usual = { value: "24h", label: "Last 24 hours", hours: 24 };

/** The chips of the errors by type: of one application there is none to choose. */
export function errorFilterChips(applications?: readonly Option[]): Filter[] {
  const time: Filter = { kind: "one", name: "range", label: "Time", options: periods };
  if (!applications) return [time];
  return [time, { kind: "one", name: "application", label: "Application", options: applications }];
}

/** The period that the query means: a day when it says nothing, a week at most. */
export function periodOf(params: Params): { value: string; label: string; hours: number } {
  const range = ranges.find(({ value }) => value === firstOf(params, "range"));
  if (!range) return usual;
  return range.hours <= LONGEST_HOURS ? range : (periods.at(-1) ?? usual);
}
