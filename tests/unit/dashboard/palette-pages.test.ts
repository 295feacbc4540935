import { describe, expect, it } from "vitest";
import { pagesFor, tabsIn, tabsOf } from "@/components/dashboard/shell/pages";

const labels = (typed: string, role: "admin" | "support" | "developer" = "admin") =>
  pagesFor(typed, role).map(({ label }) => label);

describe("pages in the search of the dashboard", () => {
  it.each([
    ["audit", ["Audit"]],
    ["history", ["Audit"]],
    ["who did", ["Audit"]],
    ["alerts", ["Alerts"]],
    ["quiet", ["Alerts"]],
    ["errors", ["Errors by type"]],
    ["callback", ["Endpoints"]],
    ["team", ["Team"]],
    ["operators", ["Team", "Audit"]],
    ["settings", ["Settings"]],
    ["my account", ["Profile"]],
    ["nothing", []],
  ])("are found by their names and by what they are about: %s", (typed, expected) => {
    expect(labels(typed)).toEqual(expected);
  });

  it("are those that the role may open", () => {
    expect([labels("audit", "support"), labels("alerts", "developer"), labels("team", "developer")]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it("are all there before anything is typed", () => {
    expect(labels("")).toHaveLength(15);
  });
});

describe("tabs of applications", () => {
  const north = { id: "app_1", name: "North" };

  it.each([
    ["secrets", ["Secrets"], ""],
    ["north secr", ["Secrets"], "north"],
    ["rotate north", ["Secrets"], "north"],
    ["logo", ["Branding"], ""],
    ["alerts of north", ["Alerts"], "north"],
    ["north", [], ""],
    ["ale", [], ""],
  ])("are named by a word of %s, and the others say which application", (typed, tabs, rest) => {
    const found = tabsIn(typed);
    expect([found.tabs.map(({ name }) => name), found.rest]).toEqual([tabs, rest]);
  });

  it("lead to the page of the application", () => {
    expect(tabsOf("north secrets", [north])).toMatchObject([
      { label: "North: Secrets", href: "/dashboard/applications/app_1/secrets" },
    ]);
  });
});
