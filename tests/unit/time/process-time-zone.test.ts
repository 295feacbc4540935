import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { bundledProgram } from "../../fakes/bundled-program";

const program = `
import { parseDay } from "@/server/domain/time/day";
import { formatInstant } from "@/server/domain/time/instant";
import { parseLocalTime, parseTime } from "@/server/domain/time/rfc3339";
import { firstDayFrom, formatZoned, midnightOffsets, offsetAt, toInstant, toLocal, zone } from "@/server/domain/time/zone";
const answers = [parseTime("2027-03-28T02:30:00+02:00"), parseLocalTime("2027-03-28T02:30:00")];
for (const name of ["Europe/Berlin", "America/New_York", "Pacific/Apia", "Asia/Kathmandu"]) {
  const place = zone(name);
  for (let t = Date.UTC(2026, 9, 24); t < Date.UTC(2027, 3, 1); t += 5_400_000) {
    answers.push(offsetAt(place, t), toInstant(place, t), toLocal(place, t), firstDayFrom(place, t), formatZoned(t, place), formatInstant(t));
  }
  answers.push(midnightOffsets(place, parseDay("2026-01-01"), parseDay("2027-12-31")));
}
console.log(JSON.stringify({ processOffset: new Date(2026, 0, 1).getTimezoneOffset(), answers }));
`;

describe("the process's own time zone", () => {
  it("changes no answer", () => {
    const code = bundledProgram(program);
    const runs = ["UTC", "America/New_York", "Asia/Kathmandu", "Europe/Berlin"].map((TZ) => {
      const run = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
        env: { NODE_ENV: "test", TZ },
        encoding: "utf8",
      });
      return JSON.parse(run.stdout) as { processOffset: number; answers: unknown[] };
    });
    expect(runs.map((run) => run.processOffset)).toEqual([0, 300, -345, -60]);
    for (const run of runs) expect(run.answers).toEqual(runs[0]?.answers);
    expect(runs[0]?.answers.length).toBeGreaterThan(10_000);
  });
});
