import { firstOf, type Params } from "@/components/dashboard/address/address";
import { ranges } from "@/components/dashboard/address/time-range";
import type { Filter, Option } from "@/components/dashboard/filters/spec";
import { requestList } from "@/server/services/staff/lists/requests";

export const REQUEST_ERRORS = `${requestList.path}/errors`;

const LONGEST_HOURS = 168;
const periods = ranges.filter(({ hours }) => hours <= LONGEST_HOURS);
const usual = { value: "24h", label: "Last 24 hours", hours: 24 };

/** Builds the chips of the errors by type. A page of one application offers no choice of it. */
export function errorFilterChips(applications?: readonly Option[]): Filter[] {
  const time: Filter = { kind: "one", name: "range", label: "Time", options: periods };
  if (!applications) return [time];
  return [time, { kind: "one", name: "application", label: "Application", options: applications }];
}

/** Reads the period of the query: a day by default, a week at most. */
export function periodOf(params: Params): { value: string; label: string; hours: number } {
  const range = ranges.find(({ value }) => value === firstOf(params, "range"));
  if (!range) return usual;
  return range.hours <= LONGEST_HOURS ? range : (periods.at(-1) ?? usual);
}
