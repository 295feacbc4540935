import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..", "..");
/** Folders with functions of ours. What Prisma generates is not ours. */
const folders = ["app", "components", "prisma", "server"];
const generated = "server/db/generated/";
/** A doc comment, and the function right below it. Comments never contain the end of another one. */
const documented = /^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?:export )?(?:default )?(?:async )?function\b\*? ?(\w*)/gm;
const verb = /^[A-Z][a-z]*s$/;
const noVerbs = new Set(["Always", "As", "Besides", "Its", "Less", "Perhaps", "Sometimes", "This", "Unless", "Whose"]);

function isVerb(word: string): boolean {
  return verb.test(word) && !noVerbs.has(word);
}

/** Lists the functions whose doc comment does not begin with a verb: `file:line name: first words`. */
function offendersIn(file: string, text: string): string[] {
  return [...text.matchAll(documented)].flatMap(({ 1: comment = "", 2: name = "", index }) => {
    const words = comment
      .replaceAll(/^[ \t]*\* ?/gm, "")
      .trim()
      .split(/\s+/);
    if (isVerb(words[0] ?? "")) return [];
    return [`${file}:${text.slice(0, index).split("\n").length} ${name}: ${words.slice(0, 6).join(" ")}`];
  });
}

describe("the doc comment of a function", () => {
  it("begins with a verb in the third person", () => {
    const files = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(tsx?|mjs)$/.test(name))
        .map((name) => `${folder}/${name}`)
        .filter((file) => !file.startsWith(generated)),
    );
    const texts = files.map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
    const comments = texts.flatMap(({ text }) => [...text.matchAll(documented)]);
    expect(comments.length).toBeGreaterThan(800);
    expect(texts.flatMap(({ file, text }) => offendersIn(file, text))).toEqual([]);
  });

  it.each([
    "/** Whether a delivery is due. */\nexport function isDue() {}",
    "/** The date in the zone. */\nexport async function dateIn() {}",
    "/**\n * Of those for later one per kind is kept.\n */\nexport function* later() {}",
    "/** As `expand`, in pieces. */\nexport default function expanded() {}",
    "/** `20261121` */\nfunction dateText() {}",
  ])("is recognised where it does not: %j", (text) => {
    expect(offendersIn("file.ts", text)).toHaveLength(1);
  });

  it("is recognised where it does", () => {
    const text = "/** The place. */\nconst at = 1;\n\n/** Claims due deliveries, host by host. */\nfunction claim() {}";
    expect(offendersIn("file.ts", text)).toEqual([]);
  });
});
