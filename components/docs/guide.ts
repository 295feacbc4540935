import { type CodeLanguage, type InEveryLanguage, inEveryLanguage } from "@/components/docs/code/languages";
import type { CodeRequest } from "@/components/docs/code/request";
import { inOrder } from "@/components/docs/code/setting";
import type { Language } from "@/components/docs/highlight";
import { operations } from "@/components/docs/operations";
import type { SampleText } from "@/components/docs/sample";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** A piece of a guide: Markdown, code, the same code in several languages, or a list that only its page can draw. */
export type Block = string | SampleText | Step | BlockList;

/** The same code in several languages, and what comes of it. */
export interface Step {
  step: string;
  codes: Partial<Record<CodeLanguage, string>>;
  response?: SampleText;
}

export interface BlockList {
  list: "webhook code" | "receiver code" | "typescript code" | "python code" | "error keys" | "rates" | "sizes";
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

interface StepInput {
  name: string;
  request: CodeRequest;
  /** Lines that stand before the request. */
  before?: InEveryLanguage;
  response?: SampleText;
}

/** A request, and what comes back. */
export function step({ name, request, before, response }: StepInput): Step {
  const code = inEveryLanguage(request);
  return { step: name, codes: before ? inOrder(before, code) : code, response };
}

/** Stands before the first code of a guide whose blocks each run alone. */
export const environmentNote =
  "The code reads `API`, `TOKEN` and `CALENDAR` from the environment: the [quickstart](/docs) gets them. In a shell, `export` them for other languages than curl.";

/** The response of an example of the document. */
export function recorded(document: OpenApiDocument, operationId: string, example: string): SampleText {
  const operation = operations(document).find((each) => each.operation.operationId === operationId)?.operation;
  for (const [status, { content = {} }] of Object.entries(operation?.responses ?? {})) {
    const value = content["application/json"]?.examples?.[example]?.value;
    if (value !== undefined) return code("json", `Response ${status}`, [JSON.stringify(value, null, 2)]);
  }
  throw new Error(`the document has no example ${operationId}/${example}`);
}

/** The body that an example of the document sends. */
export function recordedBody(document: OpenApiDocument, operationId: string, example: string): unknown {
  const operation = operations(document).find((each) => each.operation.operationId === operationId)?.operation;
  return operation?.requestBody?.content["application/json"]?.examples?.[example]?.value;
}

/** What guides then say instead: nothing that ends in a 404 without a word. */
export function isSandboxOff(document: OpenApiDocument): boolean {
  return document["x-sandbox"] === "off";
}

/** A response without a body. */
export const accepted = code("text", "Response", ["HTTP/1.1 202 Accepted"]);
