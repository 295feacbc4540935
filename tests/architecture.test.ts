import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const top = ["app", "components", "server", "sdk", "tests", "prisma"];
const skipped = new Set(["node_modules", "generated", "migrations", "artefacts", ".next", "dist"]);

/** A module of `server` imports only from lower layers, and from itself. */
const layers: [RegExp, number][] = [
  [/^server\/(domain\/|observability\/|env\/|env\.ts|context\.ts|clock\.ts|log\.ts|log-lines\.ts)/, 1],
  [/^server\/(event-loop|event-loop-delay|work-loop|meters|tracing)\.ts/, 1.2],
  [/^server\/egress\//, 1.5],
  [/^server\/(db|providers|auth)\//, 2],
  [/^server\/store\//, 2.5],
  [/^server\/(services|sync|webhooks)\//, 3],
  [/^server\/(http|graphql|jobs)\//, 4],
  [/^(app|components|server\/front-door)\//, 5],
  [/^server\/demo\//, 6],
];
const forbiddenNames = /(^|\/)(utils|helpers|common|shared|misc|lib|core|manager|internal|constants|types)(\.|\/|$)/;
/** Writes programs for readers of the documentation. */
const SHOWN_CODE = /^components\/docs\/code\//;
const FILE_LINES = 300;
const TEST_LINES = 600;

/** What runs statements, and declares them. */
const runners = [
  ...["client", "composed", "lent-prisma", "lost-connection", "statement", "traced-pool"].map(
    (name) => `server/db/${name}.ts`,
  ),
  "server/services/staff/procedure/scoped-database.ts",
  "server/http/staff/staff-database.ts",
];
/** Those that no test can prepare on a migrated database. */
const undeclared: Record<string, string> = {
  "server/db/migrations.ts": "runs the scripts of the migrations, and records them",
  "server/db/partitions.ts": "creates and drops tables, whose names are part of the statement",
  "server/db/work-notices.ts": "listens on a connection of its own",
  "server/front-door/pooler.ts": "asks whether named statements are kept before any is sent",
  "server/front-door/preflight.ts": "asks a server for its version before anything else",
  "server/front-door/restore-check/scratch.ts": "creates and drops a database, whose name is part of the statement",
  "server/front-door/startup-lock.ts": "waits for other processes before the migrations",
};
/** A call of `query` with something other than a function, which is what a tRPC procedure takes. */
const ranText = /\bquery(One)?(<[^()]*>)?\((?!\s*(async\b|\())|\$(query|execute)Raw/;
const declaring = /(export const \w+ =\s*)?\b(?:statement|command|composed)(?:<[^()]*>)?\(/g;

/** Names the types of what the front door and Next share, whatever layer they are of. */
const CONTEXT = "server/context.ts";

const files = top.flatMap((folder) => walk(join(root, folder))).map((path) => relative(root, path));
const sources = files.filter((file) => /\.(ts|tsx|mjs|js)$/.test(file));
const known = new Set(sources);
const imports = sources
  .filter((file) => !file.startsWith("tests/") && !file.startsWith("prisma/") && file !== CONTEXT)
  .flatMap((file) => importsOf(file));

/** An import of more than types. */
const VALUE_IMPORT = /(?:^(?:import|export) (?!type\b)[^;"]*from|\bimport\s*\()\s*"([^"]+)"/gm;
/** What requests come in by. Background jobs enter by no request. */
const adapters = /^(app|components|server\/(http|graphql))\//;
/** What adapters may use of the services: callers, what makes the context of one, refusals, and what declares the lists of staff. */
const entrances = [
  /\/(api|sign-in-api|exporting)\.ts$/,
  /^server\/services\/(bearer|grants\/client|staff\/sessions\/session)\.ts$/,
  /^server\/services\/(refusal|staff\/procedure\/error-shape)\.ts$/,
  /^server\/services\/staff\/lists\/(meaning|accounts|audit|channels|deliveries|endpoints|requests)\.ts$/,
];
/** The documentation shows the schemas of what procedures accept and return. */
const describing = /^server\/http\/(openapi\/|components\.ts$)/;
const valueImports = sources.filter((file) => adapters.test(file)).flatMap((file) => importsOf(file, VALUE_IMPORT));

const questions = [
  ...readFileSync(join(root, "CONTRIBUTING.md"), "utf8").matchAll(
    /^\| (.+\?) \| `grep -rli '(.+)' server` \| `(.+)` \|$/gm,
  ),
];

interface Import {
  from: string;
  to: string;
}

describe("the architecture", () => {
  it("lets no module import from a higher layer", () => {
    const upward = imports.filter(({ from, to }) => layerOf(to) > layerOf(from));
    expect(upward).toEqual([]);
  });

  it("lets no module import from another module of its layer", () => {
    const sideways = imports.filter(
      ({ from, to }) => layerOf(from) === layerOf(to) && moduleOf(from) !== moduleOf(to) && isSeparate(from, to),
    );
    expect(sideways).toEqual([]);
  });

  it("keeps the service and its client apart: they share the OpenAPI document alone", () => {
    expect(imports.filter(({ from, to }) => from.startsWith("sdk/") !== to.startsWith("sdk/"))).toEqual([]);
  });

  it("lets the bench, faults and scale use nothing of one another: what they share is in tests/rig", () => {
    const measuring = /^tests\/(bench|faults|scale)\//;
    const [ofTests, units] = [sources.filter((file) => file.startsWith("tests/")), /^tests\/unit\//];
    const borrowed = ofTests
      .filter((file) => !units.test(file))
      .flatMap((file) => importsOf(file))
      .filter(({ from, to }) => measuring.test(to) && measuring.exec(from)?.[1] !== measuring.exec(to)?.[1]);
    expect(borrowed).toEqual([]);
  });

  it("has no circle of files", () => {
    expect(circlesOf(imports.filter(({ to }) => known.has(to)))).toEqual([]);
  });

  it("has no circle of folders, nor of a folder and files beside it", () => {
    expect(circlesOf(imports.filter(({ to }) => known.has(to)).map(whereTheyPart))).toEqual([]);
  });

  it("shares one object between the front door and Next, in a file that imports nothing but types", () => {
    expect(importsOf(CONTEXT, VALUE_IMPORT)).toEqual([]);
    expect(serverSources(/globalThis\.almanac/)).toEqual([CONTEXT]);
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
    const allowed =
      /^(server\/|node:(crypto|url|util)$|rrule$|date-fns-tz$|ical\.js$|ipaddr\.js$|windows-iana$|fastest-levenshtein$)/;
    expect(imports.filter(({ from, to }) => from.startsWith("server/domain/") && !allowed.test(to))).toEqual([]);
  });

  it("reads process.env in env.ts and front-door only", () => {
    const readers = serverSources(/process\.env/).filter((file) => !/^server\/(env\.ts|front-door\/)/.test(file));
    expect(readers).toEqual([]);
  });

  it("reads the time in clock.ts only", () => {
    const readers = serverSources(/Date\.now\(|performance\.now\(|new Date\(\)/).filter((file) => !/\.mjs$/.test(file));
    expect(readers).toEqual(["server/clock.ts"]);
  });

  it("puts no query, no rule and no zod into app", () => {
    const forbidden = imports.filter(
      ({ from, to }) => from.startsWith("app/") && /^(zod|pg|server\/(db|domain)\/)/.test(to),
    );
    expect(forbidden).toEqual([]);
  });

  it("enters the services over HTTP through a caller alone", () => {
    const past = valueImports.filter(
      ({ from, to }) =>
        to.startsWith("server/services/") && !entrances.some((entrance) => entrance.test(to)) && !describing.test(from),
    );
    expect(past).toEqual([]);
  });

  it("parses URLs by parsedUrl and the constructor alone: in Node 20 the class's own test is unreliable", () => {
    const users = sources.filter((file) => file !== "tests/architecture.test.ts" && /\bcanParse\b/.test(read(file)));
    expect(users).toEqual([]);
  });

  it("runs declared statements alone: a test prepares those", () => {
    const allowed = [...runners, ...Object.keys(undeclared)];
    const inline = sources.filter((file) => file.startsWith("server/") && ranText.test(read(file)));
    expect(inline.filter((file) => !allowed.includes(file))).toEqual([]);
    expect(Object.keys(undeclared).filter((file) => !inline.includes(file))).toEqual([]);
  });

  it("declares a statement in a *.sql.ts file, which exports it: the test that prepares them finds those", () => {
    const declared = sources.filter((file) => file.startsWith("server/") && !runners.includes(file));
    const hidden = declared.filter((file) => {
      const all = [...read(file).matchAll(declaring)];
      return all.some(([, exported]) => exported === undefined || !file.endsWith(".sql.ts"));
    });
    expect(hidden).toEqual([]);
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
  const own = sources.filter((file) => /^(server|app|components)\//.test(file) && !SHOWN_CODE.test(file));
  return own.filter((file) => pattern.test(read(file)));
}

/** Every import of a file; our own files as paths from the root. */
function importsOf(file: string, pattern = /(?:\bfrom|(?<!\/)\bimport)\s*\(?\s*"([^"]+)"/g): Import[] {
  const found = [...read(file).matchAll(pattern)].map(([, to]) => to ?? "");
  return found.map((to) => {
    if (to.startsWith("@/")) return { from: file, to: withExtension(to.slice(2)) };
    if (to.startsWith(".")) return { from: file, to: withExtension(relative(root, resolve(root, dirname(file), to))) };
    return { from: file, to };
  });
}

function withExtension(path: string): string {
  const file = [path, `${path}.tsx`, `${path}.ts`, path.replace(/\.js$/, ".ts")].find((name) => known.has(name));
  return file ?? (/\.\w+$/.test(path) ? path : `${path}.ts`);
}

/** The entries of the deepest folder that holds both files: the files themselves, or the folders that they are in. */
function whereTheyPart({ from, to }: Import): Import {
  const [one, other] = [from.split("/"), to.split("/")];
  const depth = one.findIndex((name, index) => name !== other[index]) + 1;
  return { from: one.slice(0, depth).join("/"), to: other.slice(0, depth).join("/") };
}

/** The imports of every circle: an import stays as long as another leads to its start, and another leads on from its end. */
function circlesOf(all: Import[]): string[] {
  let left = all;
  for (;;) {
    const [starts, ends] = [new Set(left.map(({ from }) => from)), new Set(left.map(({ to }) => to))];
    const next = left.filter(({ from, to }) => from !== to && ends.has(from) && starts.has(to));
    if (next.length === left.length) return [...new Set(left.map(({ from, to }) => `${from} → ${to}`))];
    left = next;
  }
}

function layerOf(path: string): number {
  return layers.find(([files]) => files.test(path))?.[1] ?? 0;
}

function moduleOf(path: string): string {
  return path.startsWith("server/") ? path.split("/").slice(0, 2).join("/") : (path.split("/")[0] ?? "");
}

/** The single files of the lowest layer serve every module of it, and pages show components. */
function isSeparate(from: string, to: string): boolean {
  const single = /^server\/(env(\/.*)?|context|clock|log|log-lines)\.ts$/;
  return !single.test(to) && !single.test(from) && !(from.startsWith("app/") && to.startsWith("components/"));
}

describe("a stranger's questions in CONTRIBUTING.md", () => {
  it("are twelve", () => {
    expect(questions).toHaveLength(12);
  });

  it.each(questions.map(([, question = "", words = "", file = ""]) => ({ question, words, file })))(
    "$question",
    ({ words, file }) => {
      const found = files.filter((name) => name.startsWith("server/") && read(name).toLowerCase().includes(words));
      expect(found).toContain(file);
      expect(found.length).toBeLessThanOrEqual(4);
    },
  );
});
