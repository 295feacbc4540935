import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { bundledProgram } from "../../../fakes/bundled-program";

const program = `
import { expand, given } from "@/tests/unit/recurrence/rfc5545/given-series";
import { rfcExamples } from "@/tests/unit/recurrence/rfc5545/rfc-examples";
import { firstTimes, randomRule, ruleText, seeded } from "@/tests/unit/recurrence/rfc5545/random-rules";
const answers = [];
for (const { start, rules } of rfcExamples) {
  for (const tzid of ["America/New_York", "Pacific/Apia"]) {
    const series = given(start, { tzid, rrules: rules, exdates: [{ text: "19971001" }], rdates: [{ text: "19980301T023000/PT5H" }] });
    answers.push(expand(series, "1997-01-01T00:00:00Z", "1999-01-01T00:00:00Z"));
  }
}
const random = seeded(3);
for (let i = 0; i < 150; i++) {
  const rule = randomRule(random);
  answers.push(ruleText(rule), firstTimes(ruleText(rule), rule.start, 10));
}
console.log(JSON.stringify({ processOffset: new Date(2026, 0, 1).getTimezoneOffset(), answers }));
`;

describe("the process's own time zone", () => {
  it("changes no occurrence", () => {
    const code = bundledProgram(program);
    const runs = ["UTC", "America/New_York", "Pacific/Auckland"].map((TZ) => {
      const run = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
        env: { NODE_ENV: "test", TZ },
        encoding: "utf8",
        maxBuffer: 64 * 1024 * 1024,
      });
      return JSON.parse(run.stdout) as { processOffset: number; answers: unknown[] };
    });
    expect(runs.map((run) => run.processOffset)).toEqual([0, 300, -780]);
    for (const run of runs) expect(run.answers).toEqual(runs[0]?.answers);
    expect(runs[0]?.answers.length).toBeGreaterThan(350);
  });
});
