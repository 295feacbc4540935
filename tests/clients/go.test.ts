import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectConnected, newConnection, type Outcome, secrets } from "../api/clients/connection";
import { findLanguage } from "../api/docs/languages.mjs";
import { sceneOf } from "./scene";

const folder = mkdtempSync(join(tmpdir(), "almanac-go-client-"));
const program = join(folder, "client");

beforeAll(() => {
  // The toolchain that is here will do.
  const env = { ...process.env, GOTOOLCHAIN: "local" };
  const built = spawnSync(findLanguage("go") ?? "go", ["build", "-o", program, "."], {
    cwd: join(import.meta.dirname, "go"),
    env,
    encoding: "utf8",
  });
  expect(built.status, built.stderr).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function run(scene: object): Promise<Outcome> {
  const child = spawn(program);
  child.stdin.end(JSON.stringify(scene));
  const [[code], out, err] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  expect(code, err).toBe(0);
  return JSON.parse(out);
}

/** As the library numbers them. */
const styles = { "its default, which finds out": 0, "credentials in the header": 2 };

describe.each(Object.entries(secrets))("golang.org/x/oauth2 with %s", (_, secret) => {
  it.each(Object.entries(styles))("connects and refreshes with %s", async (_name, auth_style) => {
    const connection = await newConnection(secret);
    await expectConnected(connection, await run({ ...sceneOf(connection), auth_style }));
  });
});
