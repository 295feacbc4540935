import { describe, expect, it } from "vitest";
import { z } from "zod";
import { queriedFilters } from "@/components/dashboard/filters/queried";
import { chipsOf, type Option } from "@/components/dashboard/filters/spec";
import type { Query } from "@/server/db/client";
import { deliveryFilter } from "@/server/services/staff/deliveries/filters";
import { narrow } from "@/server/services/staff/deliveries/narrow";
import { accountList } from "@/server/services/staff/lists/accounts";
import { deliveryList } from "@/server/services/staff/lists/deliveries";
import { endpointList } from "@/server/services/staff/lists/endpoints";
import { filterInput } from "@/server/services/staff/lists/filter-input";
import type { ListFilter, ListFilters } from "@/server/services/staff/lists/list";
import { requestList } from "@/server/services/staff/lists/requests";
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
  it.each(entriesOf(requestList.filters))("narrows the requests: %s", (name, filter) => {
    const filters = z.object(requestFilters).parse({ [name]: sampleOf(filter) });
    expect(conditionsOf(filters, null)).not.toEqual(conditionsOf({}, null));
  });

  it.each(entriesOf(deliveryList.filters))("narrows the deliveries: %s", async (name, filter) => {
    const filters = deliveryFilter.parse({ [name]: sampleOf(filter) });
    expect(await narrow(nobody, filters, null)).not.toEqual(await narrow(nobody, {}, null));
  });

  const lists: { name: string; search: { name: string }; filters: ListFilters }[] = [
    requestList,
    deliveryList,
    accountList,
    endpointList,
  ];
  const application: Option[] = [{ value: "app_0", label: "Acme" }];

  it.each(lists)("takes every value that a chip sets: $name", (list) => {
    const schema = z.object(filterInput(list.filters));
    for (const chip of chipsOf(list, { application })) {
      if (chip.kind === "time") continue;
      const values = chip.kind === "text" ? ["404"] : chip.options.map(({ value }) => value);
      expect(values).not.toEqual([]);
      for (const value of values) {
        const { [chip.name]: parsed } = schema.parse(queriedFilters(list, { [chip.name]: value }, 0));
        expect(String(parsed)).toBe(value);
      }
    }
  });

  it("rejects a flag that is neither true nor false", () => {
    const schema = z.object(filterInput(accountList.filters));
    const read = (disconnected: string) => schema.safeParse(queriedFilters(accountList, { disconnected }, 0));
    expect(read("maybe").success).toBe(false);
    expect(read("false").data).toEqual({ disconnected: false });
  });

  it.each(lists)("has a chip, or is what the field for searches sets: $name", (list) => {
    const chips = chipsOf(list, { application }).map(({ name }) => name);
    const typed = chipsOf(list, {}).flatMap((chip) => (chip.kind === "many" && chip.typed ? [chip.typed.name] : []));
    const others = entriesOf(list.filters).flatMap(([name, { kind }]) => (kind === "time" ? [] : [name]));
    // Addresses of deliveries that were kept have the name `id` for the search.
    const hidden = list.name === "deliveries" ? ["id", "q"] : [list.search.name];
    expect([...chips, ...typed, ...hidden].sort()).toEqual(
      [...others, ...("from" in list.filters ? ["range"] : [])].sort(),
    );
    expect(chipsOf(list, {}).map(({ name }) => name)).toEqual(chips.filter((name) => name !== "application"));
  });
});
