import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (path: string) => readFileSync(path, "utf8");
const { version } = JSON.parse(read("package.json"));
const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "");

function anchorsOf(path: string): string[] {
  return [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number} -]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe.each(["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"])("%s", (page) => {
  it("links to files and sections that are there", () => {
    const text = withoutCode(read(page));
    const targets = [...text.matchAll(/\]\(([^)]+)\)|src(?:set)?="([^"]+)"/g)].map(
      ([, one, other]) => one ?? other ?? "",
    );
    const broken = targets.filter((target) => {
      if (/^https?:/.test(target)) return false;
      const [path = "", anchor] = target.split("#");
      return !existsSync(path || page) || (anchor !== undefined && !anchorsOf(path || page).includes(anchor));
    });
    expect(broken).toEqual([]);
  });
});

describe("README.md", () => {
  const readme = read("README.md");

  it("shows the two commands of a newcomer, and fits on a page", () => {
    expect(readme).toMatch(/^npm ci && npm start\b/m);
    expect(readme).toMatch(/^npm ci && npm test\b/m);
    expect(readme.split("\n").length).toBeLessThanOrEqual(100);
  });

  it("has each picture in a light and a dark look", () => {
    const shown = [...readme.matchAll(/docs\/pictures\/(\w+)-(dark|light)\.webp/g)].map(
      ([, name, look]) => `${name} ${look}`,
    );
    expect(shown).toEqual(["delivery dark", "delivery light", "connect dark", "connect light"]);
  });
});

describe("CHANGELOG.md", () => {
  it("begins with this version and its date", () => {
    const [, newest, day = ""] = /^## (\S+) \((.*)\)$/m.exec(read("CHANGELOG.md")) ?? [];
    expect(newest).toBe(version);
    expect(new Date(day).toISOString().slice(0, 10)).toBe(day);
  });
});
