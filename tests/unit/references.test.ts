import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..", "..");
const folders = [".github", "app", "components", "docs", "prisma", "sdk", "server", "tests"];
const skipped = new Set(["node_modules", "generated", "artefacts", "dist", "build", "__pycache__"]);
/** What is released is never edited: databases remember its checksum. */
const FIXED = "prisma/migrations/";
const decisions = new Set(readdirSync(join(root, "server", "decisions")).map((name) => Number(name.slice(0, 4))));

const ignored = readFileSync(join(root, ".gitignore"), "utf8").split("\n");

const pages = readdirSync(root).filter((name) => /\.(md|yaml|example|ts|js|mjs)$|^Dockerfile$/.test(name));
const files = [...pages, ...folders.flatMap(walk)].filter((file) => !/\.(png|webp|woff2|wasm|ico|json)$/.test(file));

interface Mention {
  file: string;
  name: string;
}

/** What the comments of a file say: of a page all of it, of code the lines that are comments or end in one. */
function commentsOf(file: string): string {
  const text = readFileSync(join(root, file), "utf8");
  if (/\.md$/.test(file)) return text.replaceAll(/^```[\s\S]*?^```/gm, "");
  const lines = text
    .split("\n")
    .map((line) => /(?:^\s*\{?(?:\/\*|\*|--|#|\/\/)|\s(?:\/\/|\/\*|--)\s).*/.exec(line)?.[0] ?? "");
  return lines.join("\n");
}

function mentions(pattern: RegExp): Mention[] {
  return files.flatMap((file) => {
    const found = [...commentsOf(file).matchAll(pattern)].map(([, name = ""]) => name);
    return [...new Set(found)].map((name) => ({ file, name }));
  });
}

describe("a comment or a page of the repository", () => {
  it("names only pages that are there", () => {
    const named = mentions(/(?<![\w./{}<>-])([\w-][\w./-]*\.md)\b/g);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ file, name }) => !isThere(name) && !isThere(join(dirname(file), name)))).toEqual([]);
  });

  it("names only files that are there, also without their folder", () => {
    const named = mentions(
      /(?<![\w./@{}<>*-])([a-z][\w-]*(?:\.test|\.spec|\.sql)?\.(?:tsx?|mjs|cjs|css|sql|prisma))\b/g,
    );
    expect(named.length).toBeGreaterThan(30);
    const known = new Set(files.map((file) => basename(file)));
    expect(named.filter(({ name }) => !known.has(name))).toEqual([]);
  });

  it("names only ADRs that are there, by their bare number", () => {
    const named = mentions(/\bADRs? ((?:\d+(?:, | and | to | or )?)+)/g);
    expect(named.length).toBeGreaterThan(200);
    const missing = named.filter(({ name }) => numbersOf(name).some((number) => !decisions.has(number)));
    expect(missing).toEqual([]);
    expect(named.filter(({ file, name }) => /\b0/.test(name) && !file.startsWith(FIXED))).toEqual([]);
  });

  it('spells a decision one way: "ADR 10"', () => {
    const isOther = (file: string) => /\bADRs?(-| ?#|\d| 0)/i.test(readFileSync(join(root, file), "utf8"));
    expect(files.filter((file) => !file.startsWith(FIXED) && isOther(file))).toEqual([]);
  });

  it("names only files and folders that are there", () => {
    const named = mentions(
      /(?<![\w./@:{}<>-])((?:app|components|prisma|sdk|server|tests)\/(?:[\w./*{},-]*[\w*}]|\[+[\w.]+\]+)*)/g,
    );
    expect(named.length).toBeGreaterThan(200);
    const missing = named.filter(({ file, name }) => !file.startsWith(FIXED) && !isGenerated(name) && !isThere(name));
    expect(missing).toEqual([]);
  });
});

/** Git is told to leave it out. */
function isGenerated(path: string): boolean {
  return ignored.some((folder) => folder.startsWith(path));
}

function numbersOf(list: string): number[] {
  return (list.match(/\d+/g) ?? []).map(Number);
}

/** `tests/sync/{both-sides,writes}.test.ts` is two files, `google-*` any that begins so, and an extension may be left out. */
function isThere(path: string): boolean {
  const [all, head = "", choices = "", tail = ""] = /^([^{]*)\{([^{}]*)\}(.*)$/.exec(path) ?? [];
  if (all !== undefined) return choices.split(",").every((choice) => isThere(head + choice + tail));
  const bare = path.replace(/\/$/, "");
  if (bare.includes("*")) return files.some((file) => patternOf(bare).test(file));
  return ["", ".ts", ".tsx", ".mjs", ".test.ts"].some((extension) => existsSync(join(root, bare + extension)));
}

function patternOf(path: string): RegExp {
  const escaped = path
    .replaceAll(/[.[\]]/g, "\\$&")
    .replaceAll("**", "\0")
    .replaceAll("*", "[^/]*")
    .replaceAll("\0", ".*");
  return new RegExp(`^${escaped}`);
}

function walk(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? walk(path) : [path];
  });
}
