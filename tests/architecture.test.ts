import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const rooms = ["app", "components", "server", "tests", "prisma"];
const skipped = new Set(["node_modules", "generated", "migrations", "artefacts", ".next"]);

/** house.md, "Floors": a room imports only from lower floors, and from itself. */
const floors: [RegExp, number][] = [
  [/^server\/(domain\/|env\.ts|clock\.ts|log\.ts)/, 1],
  [/^server\/event-loop\.ts/, 1.2],
  [/^server\/egress\//, 1.5],
  [/^server\/(db|providers|auth)\//, 2],
  [/^server\/store\//, 2.5],
  [/^server\/(services|sync|webhooks)\//, 3],
  [/^server\/(http|graphql|jobs)\//, 4],
  [/^(app|components|server\/front-door)\//, 5],
];
const forbiddenNames = /(^|\/)(utils|helpers|common|shared|misc|lib|core|manager|internal|constants|types)(\.|\/|$)/;
const FILE_LINES = 400;
const TEST_LINES = 600;

const files = rooms.flatMap((room) => walk(join(root, room))).map((path) => relative(root, path));
const sources = files.filter((file) => /\.(ts|tsx|mjs|js)$/.test(file));
const imports = sources.filter((file) => !file.startsWith("tests/") && !file.startsWith("prisma/")).flatMap(importsOf);

describe("the house", () => {
  it("lets no room import from a higher floor", () => {
    const upward = imports.filter(({ from, to }) => floorOf(to) > floorOf(from));
    expect(upward).toEqual([]);
  });

  it("lets no room import from another room on its floor", () => {
    const sideways = imports.filter(
      ({ from, to }) => floorOf(from) === floorOf(to) && roomOf(from) !== roomOf(to) && isWalled(from, to),
    );
    expect(sideways).toEqual([]);
  });

  it("keeps providers away from the database", () => {
    expect(
      imports.filter(({ from, to }) => from.startsWith("server/providers/") && to.startsWith("server/db/")),
    ).toEqual([]);
  });

  it("keeps rrule and date-fns-tz in the domain", () => {
    const outside = imports.filter(
      ({ from, to }) => /^(rrule|date-fns-tz)$/.test(to) && !from.startsWith("server/domain/"),
    );
    expect(outside).toEqual([]);
  });

  it("keeps the domain pure: no database, no network, no files", () => {
    const allowed = /^(server\/|node:(crypto|util)$|rrule$|date-fns-tz$|ical\.js$|ipaddr\.js$)/;
    expect(imports.filter(({ from, to }) => from.startsWith("server/domain/") && !allowed.test(to))).toEqual([]);
  });

  it("reads process.env in env.ts and the front door only", () => {
    const readers = serverSources(/process\.env/).filter((file) => !/^server\/(env\.ts|front-door\/)/.test(file));
    expect(readers).toEqual([]);
  });

  it("reads the time in clock.ts only", () => {
    const readers = serverSources(/Date\.now\(|performance\.now\(|new Date\(\)/).filter((file) => !/\.mjs$/.test(file));
    expect(readers).toEqual(["server/clock.ts"]);
  });

  it("puts no query, no rule and no zod into app", () => {
    const strangers = imports.filter(
      ({ from, to }) => from.startsWith("app/") && /^(zod|pg|server\/(db|domain)\/)/.test(to),
    );
    expect(strangers).toEqual([]);
  });

  it("parses URLs by parsedUrl and the constructor alone: in Node 20 the class's own test is unreliable", () => {
    const askers = sources.filter((file) => file !== "tests/architecture.test.ts" && /\bcanParse\b/.test(read(file)));
    expect(askers).toEqual([]);
  });

  it("gives every route handler 5 to 40 lines", () => {
    const long = sources.filter((file) => /^app\/.*route\.tsx?$/.test(file) && lines(file) > 40);
    expect(long).toEqual([]);
  });

  it("has no file over its limit of lines", () => {
    const long = sources.filter((file) => lines(file) > (file.startsWith("tests/") ? TEST_LINES : FILE_LINES));
    expect(long).toEqual([]);
  });

  it("has no name that says nothing", () => {
    expect(files.filter((file) => forbiddenNames.test(file))).toEqual([]);
  });

  it("has no skipped test and no silenced compiler", () => {
    const marks = /\b(it|test|describe)\.(skip|only|todo)\(|@ts-(ignore|nocheck|expect-error)|\bas any\b/;
    expect(sources.filter((file) => file !== "tests/architecture.test.ts" && marks.test(read(file)))).toEqual([]);
  });
});

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : [path];
  });
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function lines(file: string): number {
  return read(file).split("\n").length;
}

function serverSources(pattern: RegExp): string[] {
  return sources.filter((file) => /^(server|app|components)\//.test(file) && pattern.test(read(file)));
}

/** Every import of a file; those of the house as paths from the root. */
function importsOf(file: string): { from: string; to: string }[] {
  const found = [...read(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)].map(([, to]) => to ?? "");
  return found.map((to) => {
    if (to.startsWith("@/")) return { from: file, to: withExtension(to.slice(2)) };
    if (to.startsWith(".")) return { from: file, to: withExtension(relative(root, resolve(root, dirname(file), to))) };
    return { from: file, to };
  });
}

function withExtension(path: string): string {
  return /\.\w+$/.test(path) ? path : `${path}.ts`;
}

function floorOf(path: string): number {
  return floors.find(([room]) => room.test(path))?.[1] ?? 0;
}

function roomOf(path: string): string {
  return path.startsWith("server/") ? path.split("/").slice(0, 2).join("/") : (path.split("/")[0] ?? "");
}

/** The ground floor's single files serve everybody on it, and doors may show looks. */
function isWalled(from: string, to: string): boolean {
  const ground = /^server\/(env|clock|log)\.ts$/;
  return !ground.test(to) && !ground.test(from) && !(from.startsWith("app/") && to.startsWith("components/"));
}
