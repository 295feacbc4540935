import { expect, it } from "vitest";
import { navigationItems, startPath } from "@/components/dashboard/shell/navigation";

it.each([
  ["staff", null, "/dashboard"],
  ["a developer without an application", [], "/dashboard"],
  ["a developer with one", ["app_1"], "/dashboard/applications/app_1"],
  ["a developer with two", ["app_1", "app_2"], "/dashboard"],
] as const)("%s starts where they see most", (_who, applications, path) => {
  expect(startPath(applications)).toBe(path);
});

it("a developer with one application has it in the place of the overview and of the list", () => {
  const names = (applications: readonly string[]) => navigationItems("developer", applications).map(({ name }) => name);
  expect(names(["app_1"])).toEqual(["Application", "Deliveries", "Endpoints", "Requests", "Accounts", "Settings"]);
  expect(navigationItems("developer", ["app_1"])[0]?.path).toBe("/dashboard/applications/app_1");
  const all = ["Overview", "Deliveries", "Endpoints", "Requests", "Accounts", "Applications", "Settings"];
  expect([names(["app_1", "app_2"]), names([])]).toEqual([all, all]);
});
