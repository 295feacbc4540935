import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launch } from "@/tests/rig/service";

const folder = mkdtempSync(join(tmpdir(), "almanac-launched-"));

beforeAll(() => {
  mkdirSync(join(folder, "server/front-door"), { recursive: true });
  const says = 'console.log("Almanac is ready: http://127.0.0.1:" + process.env.PORT); setInterval(() => {}, 1000);';
  writeFileSync(join(folder, "server/front-door/launch.mjs"), says);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  [
    "a port that the system gives to nobody else in the meantime",
    {},
    (port: number) => port >= 12_000 && port < 32_000,
  ],
  ["the port that is given", { PORT: "4321" }, (port: number) => port === 4321],
])("a service under faults is started at %s", async (_, env, isExpected) => {
  const service = await launch(env, { folder });
  const port = Number(new URL(await service.ready()).port);
  await service.end("SIGKILL");
  expect(port).toSatisfy(isExpected);
});
