import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

it("npm run tz says which release of the tz database is in use, and what it lacks", () => {
  const said = execFileSync(process.execPath, ["server/front-door/tz-report.mjs"], { encoding: "utf8" });
  expect(said).toContain(`tzdb ${process.versions.tz} `);
  const knowsMorocco = new Intl.DateTimeFormat("en", { timeZone: "Africa/Casablanca", timeZoneName: "longOffset" })
    .format(new Date("2026-12-01T12:00:00Z"))
    .endsWith("GMT");
  expect(said.includes("Africa/Casablanca")).toBe(!knowsMorocco);
});
