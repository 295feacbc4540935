import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readEnv, variableNames } from "@/server/env";
import { capacities } from "@/server/env/capacities";

interface Row {
  name: string;
  byDefault: string;
  about: string;
}

const rows: Row[] = [
  ...readFileSync("docs/configuration.md", "utf8").matchAll(/^\| `([A-Z_]+)` \| (.+?) \| (.+) \|$/gm),
].map(([, name = "", byDefault = "", about = ""]) => ({ name, byDefault, about }));
const number = (value: number) => value.toLocaleString("en-US");
const defaultOf = (name: string) => rows.find((row) => row.name === name)?.byDefault;

describe("docs/configuration.md", () => {
  it("lists every variable that is read, once, and no other", () => {
    expect(rows.map(({ name }) => name).toSorted()).toEqual(variableNames.toSorted());
  });

  it("says what each one sets, in sentences", () => {
    expect(rows.filter(({ about }) => !/^[A-Z`].*\.$/.test(about))).toEqual([]);
  });

  it.each(Object.entries(capacities))("gives the default and the limits of %s", (name, { least, most, byDefault }) => {
    expect(defaultOf(name)).toBe(`${number(byDefault)} (${number(least)} to ${number(most)})`);
  });

  it.each(["HOST", "ALMANAC_ROLE", "WIRE_NAMES", "SANDBOX", "ICLOUD_CALDAV_URL", "METRICS_HOST", "LOG_LEVEL"] as const)(
    "gives the default of %s",
    (name) => {
      expect(defaultOf(name)).toBe(`\`${readEnv({})[name]}\``);
    },
  );

  it("computes the connections of five processes as docs/install.md does", () => {
    const five = 5 * (capacities.DATABASE_POOL.byDefault + 2) + 10;
    expect(readFileSync("docs/install.md", "utf8")).toContain(
      `Five processes with the default of ${capacities.DATABASE_POOL.byDefault} need ${five}.`,
    );
  });
});
