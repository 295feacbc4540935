import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { digest } from "@/server/db/sealed";
import { provideEnv } from "@/server/env";
import { killAll, type Service, start } from "./service";

const MINUTE = 60_000;
/** Registered for the demo application. */
const REDIRECT_URI = "http://localhost:4000/callback";
const root = resolve(import.meta.dirname, "../..");
const readme = readFileSync(join(root, "sdk/README.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "almanac-sdk-"));
/** An application that has installed the package. */
const consumer = join(folder, "consumer");

const installed = join(consumer, "node_modules/almanac-calendar");

/** The blocks of the README by the file that they are, each with the command that runs it, and what it says that this prints. */
const blocks = new Map(
  [
    ...readme.matchAll(
      /```js\n\/\/ (\S+)\.mjs\n(.*?)```(?:\n\n```sh\n(.*?)\n```)?(?:(?:(?!```).)*?```text\n(.*?)```)?/gs,
    ),
  ].map(([, name = "", source = "", command, printed]) => [name, { source, command, printed }]),
);
/** What it has before them: the installation, and the variables. */
const [installation = "", variables = ""] = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, lines = ""]) =>
  lines
    .replaceAll("../almanac/.data", join(folder, "data"))
    .replaceAll("../almanac", root)
    .replaceAll("http://localhost:3000", "$ORIGIN"),
);

let service: Service;
let port: number;
const started = new Set<ChildProcess>();

beforeAll(async () => {
  install();
  for (const [name, { source }] of blocks) writeFileSync(join(consumer, `${name}.mjs`), source);
  port = Number(execFileSync(process.execPath, ["tests/e2e/free-ports.mjs"], { encoding: "utf8" }).split(" ")[0]);
  service = await start({ DATA_DIR: join(folder, "data"), CALLBACK_ALLOWED_ORIGINS: `http://127.0.0.1:${port}` });
  const host = encodeURIComponent(join(folder, "data", "socket"));
  const url = `postgresql://almanac@localhost:5432/postgres?host=${host}&sslmode=disable`;
  provideEnv({ DATABASE_URL: url, BASE_URL: service.origin });
});

afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  await db().close();
  killAll();
  rmSync(folder, { recursive: true, force: true });
});

describe("the package as npm has it", () => {
  it("contains its modules, their types and their sources, and nothing else", () => {
    const paths = installedFiles();
    const sources = paths.filter((path) => path.startsWith("src/"));
    const compiled = sources.flatMap((path) => {
      const name = path.replace(/^src\/(.*)\.ts$/, "dist/$1");
      return [`${name}.js`, `${name}.js.map`, `${name}.d.ts`, `${name}.d.ts.map`];
    });
    expect(sources).toContain("src/generated/openapi.ts");
    expect(paths.toSorted()).toEqual(["LICENSE", "README.md", "package.json", ...sources, ...compiled].toSorted());
  });

  it("installs nothing beside itself, and names no file of the machine that built it", () => {
    const lock = JSON.parse(readFileSync(join(consumer, "package-lock.json"), "utf8"));
    expect(Object.keys(lock.packages)).toEqual(["", "node_modules/almanac-calendar"]);
    const text = installedFiles()
      .map((path) => readFileSync(join(installed, path), "utf8"))
      .join("\n");
    expect(text).not.toContain(root);
    expect(text).not.toContain(tmpdir());
  });
});

describe("its types", () => {
  const example = `
    import { Almanac, type ErrorKey, type Notification, ValidationError, verifyWebhook } from "almanac-calendar";
    export const almanac = new Almanac({ baseUrl: "https://api.acme.io", clientId: "id", clientSecret: "secret" });
    export const since = (one: Notification): string | null => {
      switch (one.type) {
        case "change": return one.changes_since;
        case "trigger": return one.event_uid;
        case "write_refused": return one.reason;
        case "verification": case "profile_disconnected": case "profile_initial_sync_completed": return null;
      }
    };
    export const keyOf = (error: unknown): ErrorKey | undefined => error instanceof ValidationError ? error.issues[0]?.key : undefined;
    export async function handle(request: Request): Promise<string> {
      const { id, channel } = await verifyWebhook({ body: await request.arrayBuffer(), headers: request.headers, clientSecret: "s" });
      return channel?.channel_id ?? id;
    }
  `;

  it.each([
    ["nodenext", "nodenext", ["ES2023"], ["node"]],
    ["bundler", "esnext", ["ES2023", "DOM"], []],
  ])("hold with moduleResolution %s", (moduleResolution, module, lib, types) => {
    expect(compile("example", example, { moduleResolution, module, lib, types })).toBe("");
  });

  it("reject an unknown key, an unknown option and a missing field", () => {
    const options = { moduleResolution: "nodenext", module: "nodenext", lib: ["ES2023", "DOM"], types: [] };
    const wrong = `
      import { Almanac, type ValidationError } from "almanac-calendar";
      export const has = (error: ValidationError) => error.has("errors.misspelled");
      export const client = new Almanac({ baseUrl: "", clientId: "", clientSecret: "", token: "" });
      export const write = () => client.account({ refreshToken: "" }).events.write("cal", { event_id: "1", summary: "s", start: "s" });
    `;
    const faults = compile("wrong", wrong, options);
    expect([...faults.matchAll(/wrong\.mts\((\d+),.*?error (TS\d+)/g)].map(([, line, code]) => [line, code])).toEqual([
      ["3", "TS2345"],
      ["4", "TS2353"],
      ["5", "TS2741"],
    ]);
  });
});

describe("the README's code", () => {
  beforeAll(() => {
    const files = [...blocks.keys()].map((name) => `${name}.mjs`);
    expect(tsc(["-p", project("readme", files, { allowJs: true, checkJs: true })])).toBe("");
  });

  it("is all of it run here", () => {
    expect([...blocks.keys()]).toEqual([
      "almanac",
      "first-event",
      "find-time",
      "book",
      "webhooks",
      "someone-else",
      "connect",
      "tokens",
      "changes",
      "errors",
    ]);
    expect(
      [...readme.matchAll(/```(\w*)/g)].map(([, language]) => language).filter((one) => one === "js"),
    ).toHaveLength(blocks.size);
    const commands = [...blocks].flatMap(([name, { command }]) => (name === "almanac" ? [] : [command]));
    expect(commands).toEqual([...blocks.keys()].slice(1).map((name) => `node ${name}.mjs`));
  });
});

describe.each(["once", "again in the same folder"])("by the README's own commands, %s,", () => {
  it.each(["first-event", "find-time", "book", "tokens", "changes", "errors"])(
    "%s prints what the README says",
    async (name) => {
      const { child, printed } = run(name);
      const [code] = await once(child, "close");
      expect([code, printed()]).toEqual([0, blocks.get(name)?.printed]);
    },
  );

  it("webhooks receives and verifies the service's own deliveries", async () => {
    const { child, printed } = run("webhooks", { PORT: String(port), CALLBACK_URL: `http://127.0.0.1:${port}/hook` });
    await expect.poll(printed, { timeout: MINUTE }).toBe("verification\n");
    const forged = { method: "POST", body: "{}", headers: { "svc-hmac-sha256": "x".repeat(44) } };
    expect((await fetch(`http://127.0.0.1:${port}/hook`, forged)).status).toBe(400);
    const other = run("someone-else");
    expect(await once(other.child, "close")).toEqual([0, null]);
    // What the README shows below its last block.
    await expect.poll(printed, { timeout: MINUTE }).toBe(blocks.get("someone-else")?.printed);
    await ended(child);
  });

  it("connect sends the browser to the connect page, and lists the calendars of who comes back", async () => {
    const application = await db().prisma.application.findFirstOrThrow();
    const { child } = run("connect", { PORT: String(port) });
    const address = `http://127.0.0.1:${port}`;
    await expect
      .poll(() =>
        fetch(address).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(400);
    const sent = await fetch(`${address}/connect`, { redirect: "manual" });
    const page = new URL(sent.headers.get("location") ?? "");
    expect((await fetch(page)).status).toBe(200);
    const code = await issueCode(application.id);
    const callback = `${address}/callback?code=${code}&state=${page.searchParams.get("state")}`;
    expect((await fetch(callback, { headers: { cookie: "state=another" } })).status).toBe(400);
    const cookie = sent.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const listed = await fetch(callback, { headers: { cookie } });
    expect([listed.status, await listed.text()]).toEqual([200, "Calendar"]);
    await ended(child);
  });
});

/** The README's own lines, in an application of its own. */
function install(): void {
  mkdirSync(consumer);
  const offline = { npm_config_offline: "true", npm_config_audit: "false", npm_config_fund: "false" };
  execFileSync("sh", ["-e", "-c", installation], {
    cwd: consumer,
    env: { ...process.env, ...offline },
    stdio: "ignore",
  });
  // As if it had installed them: the types of Node.
  mkdirSync(join(consumer, "node_modules/@types"));
  symlinkSync(join(root, "node_modules/@types/node"), join(consumer, "node_modules/@types/node"));
}

function installedFiles(): string[] {
  const entries = readdirSync(installed, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(installed, join(parentPath, name)));
}

/** What the compiler says of a file of the application. */
function compile(name: string, source: string, options: object): string {
  writeFileSync(join(consumer, `${name}.mts`), source);
  return tsc(["-p", project(name, [`${name}.mts`], options)]);
}

/** Strict, and the types of the package are checked too. */
function project(name: string, files: string[], options: object): string {
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  };
  const node = { target: "ES2022", module: "nodenext", lib: ["ES2023"], types: ["node"], noEmit: true };
  const config = { compilerOptions: { ...strict, ...node, ...options }, files };
  const path = join(consumer, `tsconfig.${name}.${Object.values(options).join(".")}.json`);
  writeFileSync(path, JSON.stringify(config));
  return path;
}

function tsc(args: string[]): string {
  try {
    return execFileSync(join(root, "node_modules/.bin/tsc"), args, { cwd: consumer, encoding: "utf8" });
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error);
  }
}

/** Runs a block by its command, with the variables that the README sets. */
function run(name: string, env: Record<string, string> = {}) {
  const child = spawn("sh", ["-e", "-c", `${variables}exec ${blocks.get(name)?.command}`], {
    cwd: consumer,
    env: { NODE_ENV: "production", PATH: process.env.PATH, ORIGIN: service.origin, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.add(child);
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  return { child, printed: () => text };
}

async function ended(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill();
  await exited;
}

/** An authorization code as the connect page issues it, for the account of the README's calendar. */
async function issueCode(applicationId: string): Promise<string> {
  const account = await db().prisma.account.findFirstOrThrow({
    where: { applicationCalendarId: "my-first-calendar" },
    include: { profiles: true },
  });
  const code = `code-${randomUUID()}`;
  const expiresAt = new Date(Date.now() + MINUTE);
  const owners = { applicationId, accountId: account.id, profileId: account.profiles[0]?.id ?? "" };
  await db().prisma.code.create({ data: { hash: digest(code), ...owners, redirectUri: REDIRECT_URI, expiresAt } });
  return code;
}
