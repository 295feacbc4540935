import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { freePort } from "@/tests/fakes/free-port";
import { startEnvironment, startScript } from "@/tests/fakes/start-script";

const client = { client_id: "lost", client_secret: "a secret of the lost lines" };

it("on a full disk, where neither log nor startup message can be written, the service starts and works", async () => {
  const folder = mkdtempSync(join(tmpdir(), "almanac-lost-log-"));
  const [port, metricsPort, noRedis] = [await freePort(), await freePort(), await freePort()];
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, startScript().parameters, {
    env: {
      ...startEnvironment(String(port)),
      ...{ DATA_DIR: folder, METRICS_PORT: String(metricsPort) },
      REDIS_URL: `redis://127.0.0.1:${noRedis}`, // of which the log says that it does not respond
      BOOTSTRAP_APPLICATIONS: JSON.stringify([{ name: "Lost", ...client }]),
    },
    stdio: ["ignore", full, full],
  });
  closeSync(full);
  const exited = once(child, "exit");
  try {
    const origin = `http://127.0.0.1:${port}`;
    const statusOf = async (path: string) => (await fetch(origin + path).catch(() => null))?.status;
    await expect.poll(() => statusOf("/health"), { timeout: 120_000, interval: 100 }).toBe(200);
    const opened = await fetch(`${origin}/v1/application_calendars`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...client, application_calendar_id: "room" }),
    });
    expect([opened.status, await statusOf("/health/live"), await statusOf("/")]).toEqual([200, 200, 200]);
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(Number(/^almanac_log_lines_lost_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
    expect(child.exitCode).toBeNull();
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
  } finally {
    child.kill("SIGKILL");
    await exited;
    rmSync(folder, { recursive: true, force: true });
  }
});
