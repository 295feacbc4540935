import { firstOf, type Params } from "@/components/dashboard/address/address";
import { ranges } from "@/components/dashboard/address/time-range";
import type { Filter, Option } from "@/components/dashboard/filters/spec";
import { type ErrorGrouping, errorGroupings, requestList } from "@/server/services/staff/lists/requests";

export const REQUEST_ERRORS = `${requestList.path}/errors`;

const LONGEST_HOURS = 48;
const periods = ranges.filter(({ hours }) => hours <= LONGEST_HOURS);
const usual = { value: "24h", label: "Last 24 hours", hours: 24 };

/** Builds the chips of the errors by type. A page of one application offers no choice of it. */
export function errorFilterChips(applications?: readonly Option[]): Filter[] {
  const time: Filter = { kind: "one", name: "range", label: "Time", options: periods };
  if (!applications) return [time, grouping(["error", "account"])];
  return [
    time,
    grouping(errorGroupings),
    { kind: "one", name: "application", label: "Application", options: applications },
  ];
}

const groupings: Record<ErrorGrouping, string> = {
  error: "Error",
  application: "Error and application",
  account: "Error and account",
};
const grouping = (values: readonly ErrorGrouping[]): Filter => ({
  kind: "one",
  name: "by",
  label: "Group by",
  options: values.map((value) => ({ value, label: groupings[value] })),
});

/** Reads what the query groups errors by. */
export function groupingOf(params: Params): ErrorGrouping {
  return errorGroupings.find((one) => one === firstOf(params, "by")) ?? "error";
}

/** Reads the period of the query: a day by default, two days at most. */
export function periodOf(params: Params): { value: string; label: string; hours: number } {
  const range = ranges.find(({ value }) => value === firstOf(params, "range"));
  if (!range) return usual;
  return range.hours <= LONGEST_HOURS ? range : (periods.at(-1) ?? usual);
}
