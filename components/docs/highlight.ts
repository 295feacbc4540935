import bash from "highlight.js/lib/languages/bash";
import go from "highlight.js/lib/languages/go";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";

const grammars = { shell: bash, json, javascript, python, ruby, php, go, yaml };
const lowlight = createLowlight(grammars);

export type Language = keyof typeof grammars | "text";
export type Tone = "plain" | "comment" | "string" | "word" | "value";

export interface ColoredText {
  tone: Tone;
  text: string;
}

/** The tones of highlight.js's scopes. Names in JSON are no strings, and the contents of a string's braces are code. */
const tones: Record<string, Tone> = {
  ...{ comment: "comment", doctag: "comment", string: "string", regexp: "string" },
  ...{ keyword: "word", literal: "word", built_in: "word", meta: "word", type: "word" },
  ...{ number: "value", variable: "value", symbol: "value" },
  ...{ attr: "plain", subst: "plain" },
};

type Node = ReturnType<typeof lowlight.highlight>["children"][number];

/** Splits a text into comments, strings, keywords, values and the rest. The pieces together are the text. */
export function toned(text: string, language: Language): ColoredText[] {
  if (language === "text") return [{ tone: "plain", text }];
  return joined(lowlight.highlight(language, text).children.flatMap((node) => piecesOf(node, "plain")));
}

function piecesOf(node: Node, around: Tone): ColoredText[] {
  if (node.type === "text") return [{ tone: around, text: node.value }];
  if (node.type !== "element") return [];
  const [scope = ""] = [node.properties.className].flat().map((name) => `${name}`.replace(/^hljs-/, ""));
  return node.children.flatMap((child) => piecesOf(child as Node, tones[scope] ?? around));
}

function joined(pieces: readonly ColoredText[]): ColoredText[] {
  const all: ColoredText[] = [];
  for (const { tone, text } of pieces) {
    const last = all.at(-1);
    if (last?.tone === tone) last.text += text;
    else all.push({ tone, text });
  }
  return all;
}
