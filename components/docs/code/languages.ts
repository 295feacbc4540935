import { curl } from "@/components/docs/code/curl";
import { node } from "@/components/docs/code/node";
import { php } from "@/components/docs/code/php";
import { python } from "@/components/docs/code/python";
import type { CodeRequest } from "@/components/docs/code/request";
import { ruby } from "@/components/docs/code/ruby";

/** Sorted as the tabs are. The first is the default. */
export const codeLanguages = [
  { id: "curl", title: "curl", language: "shell" },
  { id: "node", title: "Node", language: "javascript" },
  { id: "python", title: "Python", language: "python" },
  { id: "ruby", title: "Ruby", language: "ruby" },
  { id: "php", title: "PHP", language: "php" },
] as const;

export type CodeLanguage = (typeof codeLanguages)[number]["id"];

export type InEveryLanguage = Record<CodeLanguage, string>;

/** Writes a request in every language. Each runs unchanged, with the standard library alone. */
export function inEveryLanguage(request: CodeRequest): InEveryLanguage {
  return { curl: curl(request), node: node(request), python: python(request), ruby: ruby(request), php: php(request) };
}
