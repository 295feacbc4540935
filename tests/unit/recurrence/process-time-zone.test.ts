import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { bundledProgram } from "../../fakes/bundled-program";

const RULES = 400;

const program = `
import fc from "fast-check";
import { seriesOccurrences } from "@/server/domain/recurrence/series";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { compareDays, compareInstants } from "@/tests/unit/recurrence/comparisons";
import { sample, zones } from "@/tests/unit/recurrence/random-rules";
import { namedZone } from "@/tests/unit/time/named-zone";

const answers = fc.sample(sample, { seed: 20261121, numRuns: 200 }).map(({ rule, first, from, to }, i) => {
  const starts = utcMidnight(first) + 12 * 3_600_000;
  const series = { rule, first: { allDay: false, starts, ends: starts + 3_600_000 }, zone: namedZone(zones[i % 12]), firstDay: first };
  return seriesOccurrences({ ...series, skipped: [], changed: [] }, { from: utcMidnight(from), to: utcMidnight(to) });
});
const compared = { days: compareDays(${RULES}).rules, pairs: compareInstants(${RULES}).pairs };
console.log(JSON.stringify({ processOffset: new Date(2026, 0, 1).getTimezoneOffset(), compared, answers }));
`;

interface Run {
  processOffset: number;
  compared: { days: number; pairs: number };
  answers: unknown[][];
}

describe("the process's own time zone", () => {
  it("changes no occurrence, and no comparison with the other engines", { timeout: 60_000 }, async () => {
    const code = bundledProgram(program);
    const runs = await Promise.all(["UTC", "America/New_York", "Pacific/Auckland"].map((tz) => run(code, tz)));
    expect(runs.map(({ processOffset }) => processOffset)).toEqual([0, 300, -780]);
    for (const { compared, answers } of runs) {
      expect(compared).toEqual({ days: RULES, pairs: RULES * 12 });
      expect(answers).toEqual(runs[0]?.answers);
    }
    expect(runs[0]?.answers.flat().length).toBeGreaterThan(500);
  });
});

function run(code: string, TZ: string): Promise<Run> {
  const child = spawn(process.execPath, ["--input-type=module"], { env: { NODE_ENV: "test", TZ } });
  child.stdin.end(code);
  let [out, errors] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on("close", (status) => (status === 0 ? resolve(JSON.parse(out)) : reject(new Error(errors))));
  });
}
