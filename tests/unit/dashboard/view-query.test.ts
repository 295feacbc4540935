import { describe, expect, it } from "vitest";
import { columnSorts, sortOf, sortOptions } from "@/components/dashboard/filters/sorting";
import { readView, savedQuery, viewHref } from "@/components/dashboard/views/view-query";
import { deliveryList } from "@/server/services/staff/lists/deliveries";
import { requestList } from "@/server/services/staff/lists/requests";
import { viewedLists } from "@/server/services/staff/views/shapes";

describe("a saved view", () => {
  it("keeps the filters and the order of a page, and nothing else of its address", () => {
    const params = {
      state: ["failed", "queued"],
      sort: "oldest",
      after: ["cut", "x"],
      open: "whd_1",
      view: "svw_1",
      color: "red",
    };
    expect(savedQuery(deliveryList, params)).toBe("sort=oldest&state=failed&state=queued");
    expect(savedQuery(deliveryList, { range: "24h", q: "" })).toBe("range=24h");
    expect(savedQuery(deliveryList, { open: "whd_1" })).toBe("");
  });

  it("opens with what its list still knows, and names the rest", () => {
    const query =
      "state=failed&state=gone&color=red&late=no&range=5y&range=24h&sort=tallest&from=yesterday&q=anna%40acme.io&__proto__=x";
    expect(readView(deliveryList, query)).toEqual({
      params: { state: ["failed"], range: ["24h"], q: ["anna@acme.io"] },
      ignored: ["state: gone", "color", "late: no", "range: 5y", "sort: tallest", "from: yesterday", "__proto__"],
    });
    expect(readView(requestList, "status=404&status=9000&from=2026-06-01T00:00:00&method=GET")).toEqual({
      params: { status: ["404"], from: ["2026-06-01T00:00:00"], method: ["GET"] },
      ignored: ["status: 9000"],
    });
  });

  it("opens as it was saved", () => {
    for (const [name, list] of Object.entries(viewedLists)) {
      const sort = Object.keys(list.sorts).at(-1) ?? "";
      const query = savedQuery(list, { sort, application: "app_1" });
      expect(readView(list, query)).toEqual({ params: { sort: [sort], application: ["app_1"] }, ignored: [] });
      expect(viewHref({ id: "svw_1", list: name as keyof typeof viewedLists, query })).toBe(
        `${list.path}?sort=${sort}&application=app_1&view=svw_1`,
      );
    }
  });
});

describe("the order of a list", () => {
  const path = "/dashboard/requests";

  it("is turned round by the head of its column, from the first page", () => {
    const head = (params: Record<string, string>) => columnSorts(requestList, path, params)("newest", "oldest");
    expect(head({ method: "GET", after: "x", open: "y" })).toMatchObject({
      href: `${path}?method=GET&sort=oldest`,
      direction: "descending",
      title: "Sort: Oldest first",
    });
    expect(head({ sort: "oldest" })).toMatchObject({ href: path, direction: "ascending" });
    expect(head({ sort: "slowest" })).toMatchObject({ href: path, direction: undefined });
  });

  it("is set and undone by the head of a column with one order", () => {
    const head = (params: Record<string, string>) => columnSorts(deliveryList, "/d", params)("nextAttempt");
    expect(head({})).toMatchObject({ href: "/d?sort=nextAttempt", direction: undefined });
    expect(head({ sort: "nextAttempt" })).toMatchObject({ href: "/d", direction: "ascending" });
  });

  it("brings a time range along where it needs one, unless there is one", () => {
    const slowest = (params: Record<string, string>) => columnSorts(requestList, path, params)("slowest").href;
    expect(slowest({})).toBe(`${path}?sort=slowest&range=24h`);
    expect(slowest({ range: "1h" })).toBe(`${path}?range=1h&sort=slowest`);
    expect(slowest({ from: "2026-06-01T00:00:00" })).toBe(`${path}?from=2026-06-01T00%3A00%3A00&sort=slowest`);
  });

  it("is among the options of the menu, unless the list does not have it", () => {
    expect(sortOptions(deliveryList, "/d", {}).map(({ value, href }) => [value, href])).toEqual([
      ["newest", "/d"],
      ["oldest", "/d?sort=oldest"],
      ["nextAttempt", "/d?sort=nextAttempt"],
    ]);
    expect([sortOf(deliveryList, {}), sortOf(deliveryList, { sort: "tallest" })]).toEqual(["newest", null]);
  });
});
