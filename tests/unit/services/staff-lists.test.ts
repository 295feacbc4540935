import { describe, expect, it } from "vitest";
import { z } from "zod";
import { accountFilterChips } from "@/components/dashboard/accounts/filters";
import { deliveryFilterChips } from "@/components/dashboard/deliveries/filters";
import { queriedFilters } from "@/components/dashboard/filters/queried";
import type { Filter, Option } from "@/components/dashboard/filters/spec";
import { requestFilterChips } from "@/components/dashboard/requests/filters";
import type { Query } from "@/server/db/client";
import { accountList, deliveryList, type ListFilter, type ListFilters, requestList } from "@/server/domain/staff-lists";
import { deliveryFilter } from "@/server/services/staff/deliveries/filters";
import { narrow } from "@/server/services/staff/deliveries/narrow";
import { filterInput } from "@/server/services/staff/lists/filter-input";
import { conditionsOf, requestFilters } from "@/server/services/staff/requests/filters";

/** What a caller gives to set one filter. */
function sampleOf(filter: ListFilter) {
  const samples = { id: "whd_0", text: "whd_0", texts: ["GET"], number: 404, flag: true, only: true };
  if (filter.kind === "choices") return filter.values.slice(0, 1);
  return filter.kind === "time" ? "2026-11-21T09:30:00Z" : samples[filter.kind];
}

const entriesOf = (list: ListFilters) => Object.entries(list);
const nobody: Query = async () => [];

describe("a filter of a staff list", () => {
  it.each(entriesOf(requestList))("narrows the requests: %s", (name, filter) => {
    const filters = z.object(requestFilters).parse({ [name]: sampleOf(filter) });
    expect(conditionsOf(filters, null)).not.toEqual(conditionsOf({}, null));
  });

  it.each(entriesOf(deliveryList))("narrows the deliveries: %s", async (name, filter) => {
    const filters = deliveryFilter.parse({ [name]: sampleOf(filter) });
    expect(await narrow(nobody, filters, null)).not.toEqual(await narrow(nobody, {}, null));
  });

  it.each<[string, ListFilters, (applications: Option[]) => Filter[]]>([
    ["requests", requestList, requestFilterChips],
    ["deliveries", deliveryList, deliveryFilterChips],
    ["accounts", accountList, accountFilterChips],
  ])("takes every value that a chip sets: %s", (_, list, chipsWith) => {
    const schema = z.object(filterInput(list));
    for (const chip of chipsWith([{ value: "app_0", label: "Acme" }])) {
      if (chip.kind === "time") continue;
      const values = chip.kind === "text" ? ["404"] : chip.options.map(({ value }) => value);
      expect(values).not.toEqual([]);
      for (const value of values) {
        const { [chip.name]: parsed } = schema.parse(queriedFilters(list, { [chip.name]: value }));
        expect(String(parsed)).toBe(value);
      }
    }
  });
});
