import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const started = readFileSync("tests/bench/run.mjs", "utf8");
const programs = readdirSync("tests/bench", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && started.includes(`"${file.slice(0, -3)}"`) && /(?:^|\/)bare/.test(file))
  .sort();

it("what Almanac is compared with has none of its code", () => {
  expect(programs).toEqual(["bare-page.ts", "bare-reader.ts", "bare-sender.ts", "cost/bare.ts"]);
  for (const program of programs) {
    const imported = readFileSync(`tests/bench/${program}`, "utf8").match(
      /^import (?!type )[^;]* from "[@.]\/|import\(/gm,
    );
    expect(imported, program).toBeNull();
  }
});
