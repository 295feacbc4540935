import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { expectConnected, newConnection, type Outcome, secrets } from "../api/clients/connection";
import { PYTHON } from "./libraries.mjs";
import { sceneOf } from "./scene";

const folder = join(import.meta.dirname, "python");

/** What a program of the folder prints of a connection. */
async function run(program: string, scene: object): Promise<Outcome & { revoked: number }> {
  const child = spawn(PYTHON, [join(folder, program)]);
  child.stdin.end(JSON.stringify(scene));
  const [[code], out, err] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  expect(code, err).toBe(0);
  return JSON.parse(out);
}

describe.each(Object.entries(secrets))("with %s", (_, secret) => {
  it.each(["with_authlib.py", "with_requests_oauthlib.py"])(
    "%s connects, refreshes and revokes by the library's defaults",
    async (program) => {
      const connection = await newConnection(secret);
      const outcome = await run(program, sceneOf(connection));
      expect(outcome.revoked).toBe(200);
      await expectConnected(connection, outcome);
    },
  );
});
