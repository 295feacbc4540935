import { expect, it } from "vitest";
import { browser } from "./browser";

it.each([
  ["/dashboard/operators", "/dashboard/settings/team"],
  ["/dashboard/operators?open=opr_1", "/dashboard/settings/team?open=opr_1"],
  ["/dashboard/operators?new=developer", "/dashboard/settings/team?new=developer"],
  ["/dashboard/operators/opr_1", "/dashboard/settings/team?open=opr_1"],
  ["/dashboard/operators/me", "/dashboard/settings/profile"],
  ["/dashboard/operators/alerts", "/dashboard/settings/alerts"],
  [
    "/dashboard/operators/audit?operatorId=opr_1&object=app_1",
    "/dashboard/settings/audit?operatorId=opr_1&object=app_1",
  ],
  ["/dashboard/operators/constructor", "/dashboard/settings/team?open=constructor"],
  ["/dashboard/operators/me/more", "/dashboard/settings/me/more"],
])("%s has moved for good to %s", async (path, location) => {
  const answer = await browser().get(path);
  expect([answer.status, answer.headers.get("location")]).toEqual([308, location]);
});
