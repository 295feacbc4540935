export type Language = "shell" | "json" | "javascript" | "python" | "ruby" | "php" | "go" | "text";
export type Tone = "plain" | "comment" | "string" | "word";

export interface Toned {
  tone: Tone;
  text: string;
}

const strings = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/;
const hash = /#[^\n]*/;
const slashes = /\/\/[^\n]*|\/\*[\s\S]*?\*\//;
const words = (text: string) => new RegExp(`\\b(?:${text.replaceAll(" ", "|")})\\b`);

/** A name in JSON is no string of its own. */
const name = /"(?:[^"\\\n]|\\.)*"(?=\s*:)/;

const rules: Record<Language, { plain?: RegExp; comment?: RegExp; string?: RegExp; word?: RegExp }> = {
  text: {},
  json: { plain: name, string: /"(?:[^"\\]|\\.)*"/, word: words("true false null") },
  shell: {
    plain: name,
    comment: /(?<=^|\s)#[^\n]*/,
    string: /"(?:[^"\\]|\\.)*"|'[^'\n]*'/,
    word: words("curl node npm"),
  },
  javascript: {
    comment: slashes,
    string: strings,
    word: words("import from export function const return if new true false await async"),
  },
  python: {
    comment: hash,
    string: /[rb]?"""[\s\S]*?"""|[rb]?"(?:[^"\\\n]|\\.)*"/,
    word: words("import def return if not or and for in any True False"),
  },
  ruby: {
    comment: /(?<=^|\s)# [^\n]*/m,
    string: /"(?:[^"\\\n]|\\.)*"/,
    word: words("require def return if unless end do nil true false"),
  },
  php: {
    comment: slashes,
    string: /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/,
    word: words("declare const function return if foreach as string int bool true false"),
  },
  go: {
    comment: slashes,
    string: strings,
    word: words("package import const var func return if for range nil true false string bool byte"),
  },
};

/** Splits a text into comments, strings, keywords and the rest. The pieces together are the text. */
export function toned(text: string, language: Language): Toned[] {
  const tones = (["plain", "comment", "string", "word"] as const).filter((tone) => rules[language][tone]);
  if (tones.length === 0) return [{ tone: "plain", text }];
  const rule = new RegExp(tones.map((tone) => `(?<${tone}>${rules[language][tone]?.source})`).join("|"), "gm");
  const pieces: Toned[] = [];
  let from = 0;
  for (const found of text.matchAll(rule)) {
    if (found.index > from) pieces.push({ tone: "plain", text: text.slice(from, found.index) });
    const tone = tones.find((name) => found.groups?.[name] !== undefined) ?? "plain";
    pieces.push({ tone, text: found[0] });
    from = found.index + found[0].length;
  }
  if (from < text.length) pieces.push({ tone: "plain", text: text.slice(from) });
  return pieces;
}
