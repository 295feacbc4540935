import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmbedded } from "@/server/front-door/embedded";
import type { PostmanCollection } from "@/server/http/openapi/postman";
import { newman } from "@/tests/fakes/newman";
import { endedEarly, killAll, refused, type Service, start } from "@/tests/start/service";

const parent = mkdtempSync(join(tmpdir(), "almanac-start-"));
const DATA_DIR = join(parent, "data");
let service: Service;
let token: string;

beforeAll(async () => {
  service = await start({ DATA_DIR, PORT: "0", CALLBACK_ALLOWED_ORIGINS: undefined });
}, 240_000);

afterAll(() => {
  killAll();
  rmSync(parent, { recursive: true });
});

const mode = (path: string) => (statSync(join(DATA_DIR, path)).mode & 0o777).toString(8);
const account = async () =>
  (await fetch(`${service.origin}/v1/account`, { headers: { authorization: `Bearer ${token}` } })).status;

function demoEnv(): Record<string, string> {
  const lines = readFileSync(join(DATA_DIR, "demo.env"), "utf8").trim().split("\n");
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

/** Opens a channel. Gives why it was refused; null: it was not. */
async function open(callback_url: string): Promise<string | null> {
  const response = await fetch(`${service.origin}/v1/channels`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ callback_url }),
  });
  return response.status === 200 ? null : (await response.json()).errors.callback_url[0].key;
}

describe("the first start", () => {
  it("prints a curl that works as printed", async () => {
    const [, url = "", header = "", body = ""] = /curl (\S+) -H '([^']+)' -d '([^']+)'/.exec(service.stdout()) ?? [];
    const [name = "", value = ""] = header.split(": ");
    const answer = await fetch(url, { method: "POST", headers: { [name]: value }, body });
    expect(answer.status).toBe(200);
    token = (await answer.json()).access_token;
    expect(await account()).toBe(200);
  });

  it("prints the demo application and the operator, and keeps the application where a shell reads it", () => {
    const printed = service.stdout();
    const { CLIENT_ID: id, CLIENT_SECRET: secret, REDIRECT_URI: uri } = demoEnv();
    expect(printed).toMatch(new RegExp(`client id +${id}\\n +client secret +${secret}\\n +redirect URI +${uri}\\n`));
    expect(printed).toMatch(/email +\S+@\S+\n +password +\S{12,}\n/);
  });

  it("has a connect page for the demo application's redirect URI", async () => {
    const { CLIENT_ID, REDIRECT_URI } = demoEnv();
    const query = new URLSearchParams({
      ...{ response_type: "code", client_id: CLIENT_ID ?? "", redirect_uri: REDIRECT_URI ?? "", state: "b1946ac9" },
    });
    const page = await fetch(`${service.origin}/oauth/authorize?${query}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("iCloud");
  });

  it("allows the receivers of the documentation on this machine, says so, and allows no others on it", async () => {
    expect(service.stdout()).toContain("or on one of these origins: http://127.0.0.1:9999, ");
    const refusals = await Promise.all(
      ["http://127.0.0.1:9999/hook", "http://localhost:9999/", "http://127.0.0.1:9997/", "http://127.0.0.1/"].map(open),
    );
    expect(refusals).toEqual([null, null, "errors.invalid_callback_url", "errors.invalid_callback_url"]);
  });

  it("prints nothing but what Almanac says", () => {
    expect(service.stdout()).toMatch(/^Almanac is ready/);
    expect(service.stderr()).toBe("");
  });

  it("keeps everything in DATA_DIR to its owner", () => {
    expect([mode("."), mode("secrets.json"), mode("demo.env"), mode("socket")]).toEqual(["700", "600", "600", "700"]);
    expect(readFileSync(join(DATA_DIR, "secrets.json"), "utf8")).toMatch(/"ENCRYPTION_KEYS": "k1:/);
  });

  it("serves a Postman collection that runs green in newman, twice, with the demo application's credentials alone", async () => {
    const { CLIENT_ID: clientId = "", CLIENT_SECRET: clientSecret = "" } = demoEnv();
    const collection: PostmanCollection = await (await fetch(`${service.origin}/openapi/postman.json`)).json();
    const requests = collection.item.flatMap(({ item }) => item.map(({ name }) => name));
    expect(requests.length).toBeGreaterThanOrEqual(37);
    for (let run = 0; run < 2; run += 1) {
      const { code, failures, sent } = await newman(`${service.origin}/openapi/postman.json`, {
        clientId,
        clientSecret,
      });
      expect([code, failures, sent]).toEqual([0, [], requests]);
    }
  });

  it("is ready when it says so", async () => {
    const answer = await fetch(`${service.origin}/health`);
    expect(answer.status).toBe(200);
    const { version, commit, ...rest } = await answer.json();
    expect(rest).toEqual({ status: "ready" });
    expect(service.stdout()).toContain(`Version ${version}, commit ${commit}.`);
    expect(version).toMatch(/^\d+\.\d+\.\d+(-rc\.\d+)?$/);
    expect(commit).toMatch(/^(?:[0-9a-f]{40}|unknown)$/);
  });
});

describe("a second process on the same folder", () => {
  it("is refused, and told who holds it", async () => {
    const { code, stderr } = await refused({ DATA_DIR });
    expect(code).toBe(1);
    expect(stderr).toContain(`in use by process ${service.child.pid}`);
    expect(await account()).toBe(200);
  });
});

describe("SIGTERM", () => {
  it("answers the request that runs, closes the database and exits 0", async () => {
    const running = request(`${service.origin}/oauth/token/revoke`, {
      method: "POST",
      headers: { "content-type": "application/json", "content-length": 2 },
    });
    await new Promise((resolve) => running.write("{", resolve));
    const answered = once(running, "response");
    await fetch(`${service.origin}/health`); // by now the half request has arrived too
    const exited = service.stop();
    await expect
      .poll(() =>
        fetch(`${service.origin}/health`).then(
          () => "open",
          () => "closed",
        ),
      )
      .toBe("closed");
    running.end("}");
    const [response] = await answered;
    expect([response.statusCode, await text(response)]).toEqual([400, expect.stringContaining("invalid_request")]);
    expect(await exited).toBe(0);
    expect(existsSync(join(DATA_DIR, "almanac.lock"))).toBe(false);
  });
});

describe("SIGTERM during the start", () => {
  it("ends it, and leaves a folder that the next start finds as it should be", async () => {
    const folder = join(parent, "early");
    const { code, stdout, stderr } = await endedEarly({ DATA_DIR: folder });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).not.toContain("Almanac is ready");
    expect(existsSync(join(folder, "almanac.lock"))).toBe(false);
    const next = await start({ DATA_DIR: folder });
    expect(await next.stop()).toBe(0);
  });
});

describe("the second start", () => {
  it("has the same data, makes nothing again and prints no secret", async () => {
    service = await start({ DATA_DIR });
    expect(await account()).toBe(200);
    expect(service.stdout()).not.toMatch(/secret|password/);
    expect(service.stdout()).toContain(`Demo application: see ${join(DATA_DIR, "demo.env")}\n`);
  });

  it("allows no receivers on this machine if CALLBACK_ALLOWED_ORIGINS is set to none", async () => {
    expect(service.stdout()).toContain("callback URLs must be public https URLs.\n");
    expect(await open("http://127.0.0.1:9999/hook")).toBe("errors.invalid_callback_url");
  });

  it("also after kill -9", async () => {
    await service.stop("SIGKILL");
    service = await start({ DATA_DIR });
    expect(await account()).toBe(200);
    expect(await service.stop()).toBe(0);
  });
});

describe("what is foreseen is one sentence and exit 1", () => {
  it("all faults are listed at once, without a password and without a stack", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const metrics = createServer().listen(0, "127.0.0.1");
    await once(metrics, "listening");
    const [PORT = "", METRICS_PORT = ""] = [other, metrics].map((one) => String((one.address() as AddressInfo).port));
    const { code, stderr } = await refused({
      DATA_DIR: "/dev/null/data",
      ...{ PORT, METRICS_PORT, METRICS_HOST: "127.0.0.1" },
      DATABASE_URL: "postgresql://almanac:hunter2@127.0.0.1:1/almanac",
      ADMIN_PASSWORD: "short",
      WIRE_NAMES: "other",
    });
    other.close();
    metrics.close();
    expect(code).toBe(1);
    const lines = stderr.trim().split("\n");
    expect(lines).toHaveLength(7);
    expect(stderr).toContain("ADMIN_PASSWORD must have at least 12 characters.");
    expect(stderr).toContain("WIRE_NAMES must be product or neutral.");
    expect(stderr).toContain(`Port ${PORT} is already in use. Stop the other program or set PORT.`);
    expect(stderr).toContain(`Port ${METRICS_PORT} is already in use. Stop the other program or set METRICS_PORT.`);
    expect(stderr).toContain("DATA_DIR /dev/null/data must be a folder");
    expect(stderr).toContain("Cannot use the database at 127.0.0.1:1/almanac (ECONNREFUSED). Check DATABASE_URL.");
    expect(stderr).not.toMatch(/hunter2|short\b|^ +at /m);
  });

  it("half a configuration of Google's, with what is missing", async () => {
    const { code, stderr } = await refused({
      DATA_DIR: join(parent, "unused"),
      GOOGLE_CLIENT_ID: "almanac.apps.googleusercontent.com",
      GOOGLE_BASE_URL: "accounts.google.com",
    });
    expect(code).toBe(1);
    expect(stderr).toContain("GOOGLE_BASE_URL must be an http or https URL without a path, query or credentials.");
    expect(stderr).toContain("GOOGLE_CLIENT_SECRET must be set because GOOGLE_CLIENT_ID is set.");
    expect(stderr.trim().split("\n")).toHaveLength(3);
  });

  it("a missing secrets.json beside a database", async () => {
    renameSync(join(DATA_DIR, "secrets.json"), join(parent, "secrets.json"));
    const { code, stderr } = await refused({ DATA_DIR });
    renameSync(join(parent, "secrets.json"), join(DATA_DIR, "secrets.json"));
    expect([code, stderr.trim().split("\n").length]).toEqual([1, 1]);
    expect(stderr).toContain("secrets.json is missing, but the database has secrets encrypted with it");
    expect(existsSync(join(DATA_DIR, "almanac.lock"))).toBe(false);
  });

  it("other keys than those that the database was used with", async () => {
    const ENCRYPTION_KEYS = `k1:${randomBytes(32).toString("base64")}`;
    const { code, stderr } = await refused({ DATA_DIR, ENCRYPTION_KEYS });
    expect([code, stderr.trim().split("\n").length]).toEqual([1, 1]);
    expect(stderr).toContain("encrypted with a different key k1");
  });

  it("a database newer than the code", async () => {
    const database = await startEmbedded(DATA_DIR);
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '29991231000000_future', now())",
    );
    await client.end();
    await database.close();
    const { code, stderr } = await refused({ DATA_DIR });
    expect([code, stderr.trim().split("\n").length]).toEqual([1, 1]);
    expect(stderr).toContain("newer than this version of Almanac: it has the unknown migration 29991231000000_future");
  });
});
