import { firstOf, type Params } from "@/components/dashboard/address/address";
import { ranges } from "@/components/dashboard/address/time-range";
import type { Filter, Option } from "@/components/dashboard/filters/spec";
import { requestList, type TrafficRange, trafficRanges } from "@/server/services/staff/lists/requests";

export const REQUEST_TRAFFIC = `${requestList.path}/traffic`;

const usual: TrafficRange = "24h";
const isRange = (value: string | undefined): value is TrafficRange => value !== undefined && value in trafficRanges;

/** Builds the chips of the charts. A page of one application offers no choice of it. */
export function trafficFilterChips(applications?: readonly Option[]): Filter[] {
  const time: Filter = {
    ...{ kind: "one", name: "range", label: "Time" },
    options: ranges.filter(({ value }) => isRange(value)),
  };
  if (!applications) return [time];
  return [time, { kind: "one", name: "application", label: "Application", options: applications }];
}

/** Reads the range of the query: a day by default. */
export function trafficRangeOf(params: Params): { value: TrafficRange; label: string } {
  const given = firstOf(params, "range");
  const value = isRange(given) ? given : usual;
  return { value, label: ranges.find((one) => one.value === value)?.label ?? value };
}
