import { lexer, type Token, type Tokens } from "marked";
import type { CodeLanguage } from "@/components/docs/code/languages";
import type { Block, Guide, Section } from "@/components/docs/guide";
import { isListName } from "@/components/docs/guides/list-names";
import type { Language } from "@/components/docs/highlight";
import { slug } from "@/components/docs/slug";

const languages: Record<string, Language> = {
  ...{ sh: "shell", bash: "shell", shell: "shell", json: "json", yaml: "yaml", yml: "yaml" },
  ...{
    javascript: "javascript",
    js: "javascript",
    ts: "javascript",
    python: "python",
    ruby: "ruby",
    php: "php",
    go: "go",
  },
};
/** The tab of a fence among several. */
const tabs: Record<string, CodeLanguage> = {
  ...{ sh: "curl", javascript: "node", python: "python", ruby: "ruby", php: "php" },
};
/** The title of a fence without a name. */
const titles: Partial<Record<Language, string>> = {
  shell: "Shell",
  json: "JSON",
  javascript: "JavaScript",
  yaml: "YAML",
  python: "Python",
};

/**
 * Parses a guide's Markdown: a title, a sentence or two about it, and sections. A bold line names the code that follows
 * it, and code in several languages is one step in each of them. `**Response 200**` after it is the response.
 */
export function guideOf(markdown: string, { name, path }: Pick<Guide, "path"> & { name?: string }): Guide {
  const tokens = lexer(markdown).filter(({ type }) => type !== "space");
  const [title, ...rest] = tokens;
  if (title?.type !== "heading") throw new Error(`${path}: a guide begins with its title`);
  const lead = rest[0]?.type === "paragraph" ? textOf(rest[0]) : "";
  const sections = sectionsOf(lead ? rest.slice(1) : rest);
  return { name: name ?? title.text, path, title: title.text, lead, sections };
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: { id: string; title: string; tokens: Token[] }[] = [];
  for (const token of tokens) {
    if (token.type === "heading" && token.depth <= 2) sections.push({ ...headingOf(token.text), tokens: [] });
    else sections.at(-1)?.tokens.push(token) ?? sections.push({ id: "", title: "", tokens: [token] });
  }
  return sections.map(({ tokens: own, ...section }) => ({ ...section, blocks: blocksOf(own, section.title) }));
}

/** Parses `Rotate secrets <a id="rotation"></a>`. Without a mark, the id is the title in lower case. */
function headingOf(text: string): { id: string; title: string } {
  const [, title = text, id] = /^(.*?) ?<a id="([\w-]+)"><\/a>$/.exec(text) ?? [];
  return { title, id: id ?? slug(title) };
}

function blocksOf(tokens: readonly Token[], section: string): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < tokens.length; ) {
    const name = tokens[at + 1]?.type === "code" ? boldOf(tokens[at]) : null;
    const codes = fencesFrom(tokens, name === null ? at : at + 1);
    if (name !== null) add(blocks, name, codes);
    else if (codes.length > 0) blocks.push(...codes.map((code, nth) => unnamed(code, section, blocks.length + nth)));
    else blocks.push(...blockOf(tokens[at]));
    at += Math.max(1, codes.length + (name === null ? 0 : 1));
  }
  return blocks;
}

/** Adds code in several languages, its result, or code alone. */
function add(blocks: Block[], name: string, codes: readonly Tokens.Code[]): void {
  const [only] = codes;
  const last = blocks.at(-1);
  if (!only || codes.length > 1) {
    blocks.push({ step: name, codes: Object.fromEntries(codes.map((code) => [tabOf(code), code.text])) });
  } else if (name.startsWith("Response") && typeof last === "object" && "step" in last && !last.response) {
    last.response = { name, ...sampleOf(only) };
  } else {
    blocks.push({ name, ...sampleOf(only) });
  }
}

/** Builds a block of code without a name. Its label distinguishes it from the page's other code. */
function unnamed(code: Tokens.Code, section: string, nth: number): Block {
  const sample = sampleOf(code);
  const name = titles[sample.language] ?? "Text";
  return { name, ...sample, label: `${name}: ${section}, ${nth + 1}` };
}

function sampleOf({ lang = "", text }: Tokens.Code): { language: Language; text: string } {
  return { language: languages[lang.split(" ")[0] ?? ""] ?? "text", text };
}

function tabOf({ lang = "" }: Tokens.Code): CodeLanguage {
  const [language = "", tab = tabs[language]] = lang.split(" ");
  if (!tab || !Object.values(tabs).includes(tab as CodeLanguage)) throw new Error(`guides have no tab for ${lang}`);
  return tab as CodeLanguage;
}

function fencesFrom(tokens: readonly Token[], from: number): Tokens.Code[] {
  const codes: Tokens.Code[] = [];
  for (let at = from; tokens[at]?.type === "code"; at += 1) codes.push(tokens[at] as Tokens.Code);
  return codes;
}

function boldOf(token: Token | undefined): string | null {
  return token?.type === "paragraph" ? (/^\*\*([^*]+)\*\*$/.exec(token.text)?.[1] ?? null) : null;
}

function blockOf(token: Token | undefined): Block[] {
  if (!token) return [];
  if (token.type !== "html") return [token.type === "paragraph" ? textOf(token) : token.raw.trim()];
  const [, list = ""] = /^<!-- list: (.+) -->\s*$/.exec(token.raw) ?? [];
  return isListName(list) ? [{ list }] : [];
}

function textOf({ raw }: Token): string {
  return raw.trim().replaceAll("\n", " ");
}
