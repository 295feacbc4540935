import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { freePort } from "@/tests/fakes/free-port";

/** The bench on a PostgreSQL server that is not there. */
async function benched(...parameters: string[]): Promise<{ code: number; said: string }> {
  const address = `postgresql://root@127.0.0.1:${await freePort()}/postgres`;
  const child = spawn(process.execPath, ["tests/bench/run.mjs", ...parameters], {
    env: { ...process.env, BENCH_DATABASE_URL: address },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? -1)));
  return { said: await text(child.stdout), code: await exited };
}

it.each([["short"], ["cost"]])("npm run bench %s fails where nothing can be measured, and says so", async (part) => {
  const { code, said } = await benched(part);
  expect(said).toMatch(/^FAILED .*cannot be measured here|^FAILED .*could not be measured/m);
  expect(code).toBe(1);
});
