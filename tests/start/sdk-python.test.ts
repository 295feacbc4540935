import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findLanguage } from "../api/docs/languages.mjs";
import { killAll, type Service, start } from "./service";

const MINUTE = 60_000;
const source = resolve(import.meta.dirname, "../../sdk/python");
const readme = readFileSync(join(source, "README.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "almanac-sdk-python-"));
const blocks = new Map(
  [
    ...readme.matchAll(
      /```python\n# (\S+)\.py\n(.*?)```(?:\n\n```sh\n(.*?)\n```)?(?:(?:(?!```).)*?```text\n(.*?)```)?/gs,
    ),
  ].map(([, name = "", code = "", command, printed]) => [name, { code, command, printed }]),
);
/** The README's second block of commands; the first installs the package, which takes what PyPI has. */
const [, variables = ""] = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, lines = ""]) =>
  lines.replaceAll("../almanac/.data", join(folder, "data")).replaceAll("http://localhost:3000", "$ORIGIN"),
);

let service: Service;
let port: number;

beforeAll(async () => {
  for (const [name, { code }] of blocks) writeFileSync(join(folder, `${name}.py`), code);
  port = Number(execFileSync(process.execPath, ["tests/e2e/free-ports.mjs"], { encoding: "utf8" }).split(" ")[1]);
  service = await start({ DATA_DIR: join(folder, "data"), CALLBACK_ALLOWED_ORIGINS: `http://127.0.0.1:${port}` });
});

afterAll(() => {
  killAll();
  rmSync(folder, { recursive: true, force: true });
});

describe("the code of the Python client's README", () => {
  it("is all of it run here", () => {
    expect([...blocks.keys()]).toEqual(["first_event", "find_time", "book", "webhooks", "someone_else"]);
    expect(readme.match(/```python/g)).toHaveLength(blocks.size);
  });

  it.each(["once", "again in the same folder"])(
    "prints what the README says, with a webhook that the service sent, %s",
    async () => {
      for (const name of ["first_event", "find_time", "book"]) {
        const { ended, printed } = run(name);
        expect(await ended).toEqual([0, null]);
        expect(printed()).toBe(blocks.get(name)?.printed);
      }

      const hook = run("webhooks", { PORT: String(port), CALLBACK_URL: `http://127.0.0.1:${port}/hook` });
      await expect.poll(hook.printed, { timeout: MINUTE }).toBe("verification\n");
      expect((await fetch(`http://127.0.0.1:${port}/hook`, { method: "POST", body: "{}" })).status).toBe(400);
      expect(await run("someone_else").ended).toEqual([0, null]);
      await expect.poll(hook.printed, { timeout: MINUTE }).toBe(blocks.get("someone_else")?.printed);
      hook.child.kill();
      await hook.ended;
    },
  );
});

/** Runs a block by its command, with the variables that the README sets. */
function run(name: string, env: Record<string, string> = {}) {
  const program = findLanguage("python3");
  if (!program)
    throw new Error("python3 is missing, so its client cannot be tested: install it, then run the tests again");
  const python = { PYTHONPATH: join(source, "src"), PYTHONDONTWRITEBYTECODE: "1", PYTHONUTF8: "1" };
  const command = blocks.get(name)?.command?.replace(/^python3 /, `${program} `);
  const child = spawn("sh", ["-e", "-c", `${variables}exec ${command}`], {
    cwd: folder,
    env: { NODE_ENV: "production", PATH: process.env.PATH, ORIGIN: service.origin, ...python, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  return { child, ended: once(child, "close"), printed: () => text };
}
