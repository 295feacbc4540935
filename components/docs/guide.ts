import type { Language } from "@/components/docs/highlight";
import type { SampleText } from "@/components/docs/sample";

/** A piece of a guide: Markdown, code, the same code in several languages, or a list that only its page can draw. */
export type Block = string | SampleText | BlockList;

export interface BlockList {
  list: "webhook code" | "typescript code" | "python code" | "error keys" | "rates" | "sizes";
}

export interface Section {
  id: string;
  title: string;
  blocks: readonly Block[];
}

export interface Guide {
  /** In the navigation. */
  name: string;
  path: string;
  title: string;
  lead: string;
  sections: readonly Section[];
}

export function shell(name: string, ...lines: string[]): SampleText {
  return code("shell", name, lines);
}

export function code(language: Language, name: string, lines: readonly string[]): SampleText {
  return { name, language, text: lines.join("\n") };
}
