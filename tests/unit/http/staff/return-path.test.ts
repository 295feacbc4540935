import { describe, expect, it } from "vitest";
import { returnPath, signInLink } from "@/server/http/staff/return-path";

describe("the path to go to after signing in", () => {
  it.each([
    "/dashboard",
    "/dashboard/deliveries",
    "/api/graphql",
    "/dashboard/deliveries/whd_1?state=failed&to=2026-11-21T00%3A00%3A00Z",
  ])("is the one of the dashboard that was asked for: %s", (path) => {
    expect(returnPath(path)).toBe(path);
  });

  it.each([
    "",
    null,
    undefined,
    "https://evil.example/dashboard",
    "//evil.example/dashboard",
    "/\\evil.example/dashboard",
    "/dashboard/../\\evil.example",
    "/dashboard/../v1/account",
    "/dashboard/%2e%2e/%2e%2e//evil.example",
    "/dashboard//../../oauth/authorize",
    "/dashboardx",
    "/api/graphql?query={me}",
    "/dashboard@evil.example",
    "/dashboard:80@evil.example",
    "/dashboard/sign-in?from=/dashboard",
    "javascript:alert(1)",
    " /dashboard",
  ])("is the dashboard itself for anything else: %s", (path) => {
    expect(returnPath(path)).toBe("/dashboard");
  });

  it("holds no line break that a header could be split at", () => {
    expect(returnPath("/dashboard/a\r\nset-cookie: b")).toBe("/dashboard/aset-cookie:%20b");
  });

  it("leaves out what Next adds to ask for data", () => {
    expect(returnPath("/dashboard/accounts?q=a&_rsc=1x")).toBe("/dashboard/accounts?q=a");
    expect(signInLink("/dashboard/accounts?_rsc=1x")).toBe("/dashboard/sign-in?from=%2Fdashboard%2Faccounts");
    expect(signInLink("/dashboard")).toBe("/dashboard/sign-in");
  });
});
