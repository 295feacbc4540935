import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, normalize, relative } from "node:path";
import { describe, expect, it } from "vitest";

const FOLDER = "docs";
const pages = readdirSync(FOLDER).filter((name) => name.endsWith(".md"));
/** Of fences: what a highlighter knows. */
const languages = new Set(["sh", "json", "yaml", "text"]);

const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");
const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "");

/** The anchor that forges and the documentation give a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number} -]/gu, "")
    .replaceAll(" ", "-");
}

function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#{1,2} (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

describe.each(pages)("docs/%s", (name) => {
  const text = read(name);

  it("has one title, a lead of one paragraph, and sections of one level", () => {
    expect(text).toMatch(/^# [^\n]+\n\n[A-Z][^\n]+\n\n(?:## |\|)/);
    const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
    expect(prose.match(/^#+ /gm)?.filter((mark) => mark !== "## ")).toEqual(["# "]);
    expect(new Set(anchorsOf(prose)).size).toBe(anchorsOf(prose).length);
  });

  it("has no HTML and no picture, and fences with a language", () => {
    expect(withoutCode(text)).not.toMatch(/<\/?[a-z]|!\[/);
    const opened = [...text.matchAll(/^```(.*)\n[\s\S]*?^```$/gm)].map(([, language = ""]) => language);
    expect(opened.filter((language) => !languages.has(language))).toEqual([]);
    expect(text.match(/^```/gm)?.length ?? 0).toBe(2 * opened.length);
  });

  it("links to pages and sections that are there", () => {
    const links = [...withoutCode(text).matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    const broken = links.filter((target) => {
      const [file = "", anchor] = target.split("#");
      const path = file === "" ? name : relative(FOLDER, normalize(join(FOLDER, file)));
      if (!existsSync(join(FOLDER, path))) return true;
      return anchor !== undefined && !anchorsOf(read(path)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it("is listed in docs/README.md", () => {
    expect(name === "README.md" || read("README.md").includes(`](${name})`)).toBe(true);
  });
});
