import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseDocument } from "yaml";
import { stages, unknownSteps } from "@/tests/stages.mjs";
import config from "@/tests/vitest.config";

interface Job {
  permissions?: Record<string, string>;
  "timeout-minutes"?: number;
  uses?: string;
  environment?: string;
  strategy?: { matrix: { steps?: string[]; node?: string[] } };
  steps?: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}

interface Workflow {
  on: unknown;
  permissions?: Record<string, string>;
  jobs: Record<string, Job>;
}

const FOLDER = ".github";
const MOST_MINUTES = 10;
const read = (path: string) => readFileSync(path, "utf8");
const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".yml"));
const workflow = (name: string): Workflow => parse(read(join(FOLDER, "workflows", name)));
const ci = workflow("ci.yml");
const release = workflow("release.yml");
const { scripts, engines } = JSON.parse(read("package.json"));

/** What the jobs of a workflow run, with a line for each value of `steps`. */
function commandsOf({ jobs }: Workflow): string[] {
  return Object.values(jobs).flatMap(({ steps = [], strategy }) =>
    steps.flatMap(({ run = "" }) =>
      (strategy?.matrix.steps ?? [""]).map((names) => run.replace(/\$\{\{ matrix\.steps \}\}/, names)),
    ),
  );
}

describe("the files of the forge", () => {
  it.each(files)("%s is YAML", (name) => {
    const { errors, warnings } = parseDocument(read(join(FOLDER, name)));
    expect([...errors, ...warnings]).toEqual([]);
  });

  it.each([
    ["ci.yml", ci],
    ["release.yml", release],
  ])("%s may read, and nothing else unless a job says so", (_, { permissions, jobs }) => {
    expect(permissions).toEqual({ contents: "read" });
    const actions = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(actions.filter((name) => !/^[\w-]+\/[\w-]+@(release\/)?v\d+$/.test(name))).toEqual([]);
  });

  it("no job of CI has a permission of its own, or more than ten minutes", () => {
    for (const job of Object.values(ci.jobs)) {
      expect(job.permissions).toBeUndefined();
      expect(job["timeout-minutes"]).toBeLessThanOrEqual(MOST_MINUTES);
    }
  });

  it("CI calls scripts and steps that are there, and each step of the tests but the bench", () => {
    const commands = commandsOf(ci);
    const called = commands.flatMap((run) =>
      [...run.matchAll(/npm (?:run )?(test[\w:]*)/g)].map(([, name = ""]) => name),
    );
    expect([...new Set(called)].toSorted()).toEqual(["test", "test:browser"]);
    expect(called.filter((name) => !(name in scripts))).toEqual([]);

    const named = commands.flatMap((run) => /^node tests\/run\.mjs --install (.+)$/.exec(run)?.[1]?.split(" ") ?? []);
    expect(unknownSteps(named)).toEqual([]);
    const projects = (config.test?.projects ?? []).map((project) => (project as { test: { name: string } }).test.name);
    const inTest = stages(["test"]).flat(2);
    const missing = [...projects, "types", "lint"].filter((name) => !inTest.includes(name) && !named.includes(name));
    expect(missing).toEqual([]);
  });

  it("a release publishes after the tests alone, with tokens of the forge, and without a stored secret", () => {
    expect(read(join(FOLDER, "workflows", "release.yml"))).not.toMatch(/secrets\./);
    const publishing = Object.entries(release.jobs).filter(
      ([, { permissions }]) => permissions?.["id-token"] === "write",
    );
    expect(publishing.map(([name]) => name)).toEqual(["npm", "pypi", "image"]);
    for (const [, job] of publishing) expect((job as { needs?: string[] }).needs).toEqual(["ci", "version"]);
    expect(release.jobs.ci?.uses).toBe("./.github/workflows/ci.yml");
  });

  it(".nvmrc and the oldest Node of CI are what package.json asks for", () => {
    const [, least = ""] = />=(\d+\.\d+)/.exec(engines.node) ?? [];
    expect(ci.jobs.test?.strategy?.matrix.node?.[0]).toBe(`${least}.0`);
    expect(least.split(".")[0]).toBe(read(".nvmrc").trim());
  });
});
