import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..", "..");
const FOLDER = "server/decisions";
const MOST_WORDS = 400;

interface Page {
  file: string;
  number: string;
  title: string;
  words: number;
}

const pages = readdirSync(join(root, FOLDER))
  .filter((file) => /^\d{4}-/.test(file))
  .sort()
  .map(pageOf);

function pageOf(file: string): Page {
  const text = read(`${FOLDER}/${file}`);
  const [, number = "", title = ""] = /^# (\d+)\. (.+)$/m.exec(text) ?? [];
  const prose = text.split("\n").filter((line) => !line.startsWith("|"));
  return { file, number, title, words: prose.join(" ").split(/\s+/).filter(Boolean).length };
}

/** Renewed with `RENEW=1`. */
function renewed(file: string, line: RegExp, lineOf: (page: Page, rest: string) => string): string {
  const text = read(file);
  const expected = text.replaceAll(line, (whole, number: string, rest: string) => {
    const page = pages.find((one) => one.number === number);
    return page ? lineOf(page, rest) : whole;
  });
  if (process.env.RENEW) writeFileSync(join(root, file), expected);
  expect(process.env.RENEW ? expected : text).toBe(expected);
  return expected;
}

describe("a page of server/decisions", () => {
  it("has the number of its file name", () => {
    expect(pages.length).toBeGreaterThan(80);
    expect(pages.filter(({ file, number }) => file.slice(0, 4) !== number.padStart(4, "0"))).toEqual([]);
  });

  it("says situation, choice, cost and tests in at most 400 words outside its tables", () => {
    const over = pages.filter(({ words }) => words > MOST_WORDS).map(({ file }) => file);
    expect(over).toEqual([]);
  });

  it("stands in the index once, with its title (RENEW=1 renews titles and links)", () => {
    const line = /^\| (\d+) \| \[.*\]\([\w-]+\.md\) \| (.*) \|$/gm;
    const index = renewed(
      `${FOLDER}/README.md`,
      line,
      ({ number, title, file }, status) => `| ${number} | [${title}](${file}) | ${status} |`,
    );
    const listed = [...index.matchAll(line)].map(([, number]) => Number(number));
    expect(listed.sort((one, other) => one - other)).toEqual(pages.map(({ number }) => Number(number)));
  });

  it("has its measurements in the notebook under its title, in the order of the pages (RENEW=1 renews titles)", () => {
    const heading = /^## ADR (\d+) · (.*)$/gm;
    const notebook = renewed("tests/bench/notebook.md", heading, ({ number, title }) => `## ADR ${number} · ${title}`);
    const numbers = [...notebook.matchAll(heading)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(10);
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
    const known = pages.map(({ number }) => Number(number));
    expect(numbers.filter((number) => !known.includes(number))).toEqual([]);
  });
});

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
