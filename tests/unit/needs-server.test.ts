import { afterEach, expect, it, vi } from "vitest";
import { freePort } from "../fakes/free-port";
import needsServer from "../fakes/needs-server";
import config from "../vitest.config";

afterEach(() => vi.unstubAllEnvs());

it("the suites on a PostgreSQL server look for it before anything else", () => {
  const projects = (config.test?.projects ?? []) as { test: { name: string; globalSetup?: string[] } }[];
  const onServer = projects.filter(({ test }) => test.globalSetup?.[0] === "tests/fakes/needs-server.ts");
  expect(onServer.map(({ test }) => test.name)).toEqual(["postgres", "server"]);
});

it("they say what they need", async () => {
  vi.stubEnv("TEST_DATABASE_URL", "");
  await expect(needsServer()).rejects.toThrow(/^These tests need a PostgreSQL server\. Set TEST_DATABASE_URL/);
});

it("they name the server that does not respond, and not its password", async () => {
  vi.stubEnv("TEST_DATABASE_URL", `postgresql://ada:secret@127.0.0.1:${await freePort()}/postgres`);
  const reason = await needsServer().catch(String);
  expect(reason).toMatch(/TEST_DATABASE_URL \(127\.0\.0\.1:\d+\) cannot be used: connect ECONNREFUSED/);
  expect(reason).not.toContain("secret");
});
