import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { familyOf, residentMegabytes } from "@/tests/rig/processor-time";

const grandchild = `setInterval(() => {}, 1000); process.stdout.write("ready " + process.pid + "\\n")`;
const parent = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(grandchild)}], { stdio: "inherit" })`;

describe.runIf(process.platform === "linux")("the processes of a service", () => {
  let child: ChildProcess;
  let grandchildPid: number;

  beforeAll(async () => {
    child = spawn(process.execPath, ["-e", parent], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = child.stdout ? await once(child.stdout, "data") : [];
    grandchildPid = Number(String(line).slice("ready ".length));
  });

  afterAll(() => {
    process.kill(grandchildPid);
    child.kill();
  });

  it("are those that it has started, and those that they have", () => {
    expect(familyOf(child.pid ?? 0)).toEqual([child.pid, grandchildPid]);
  });

  it("count together", () => {
    const [all, one] = [residentMegabytes(child.pid ?? 0), residentMegabytes(grandchildPid)];
    expect(one).toBeGreaterThan(10);
    expect(all).toBeGreaterThan(one + 10);
  });
});
