import type { CodeLanguage } from "@/components/docs/code/languages";
import type { Language } from "@/components/docs/highlight";
import { operations } from "@/components/docs/operations";
import type { SampleText } from "@/components/docs/sample";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** A block of a guide: Markdown, code, the same code in several languages, or a list that only its page can render. */
export type Block = string | SampleText | Step | BlockList;

/** The same code in several languages, and its result. */
export interface Step {
  step: string;
  codes: Partial<Record<CodeLanguage, string>>;
  response?: SampleText;
}

export interface BlockList {
  list: "webhook code" | "receiver code" | "error keys" | "rates" | "sizes";
}

export interface Section {
  id: string;
  title: string;
  blocks: readonly Block[];
}

export interface Guide {
  /** Its name in the navigation. */
  name: string;
  path: string;
  title: string;
  lead: string;
  sections: readonly Section[];
}

export function code(language: Language, name: string, lines: readonly string[]): SampleText {
  return { name, language, text: lines.join("\n") };
}

/** Returns the response of an example of the document. */
export function recorded(document: OpenApiDocument, operationId: string, example: string): SampleText {
  const operation = operations(document).find((each) => each.operation.operationId === operationId)?.operation;
  for (const [status, { content = {} }] of Object.entries(operation?.responses ?? {})) {
    const value = content["application/json"]?.examples?.[example]?.value;
    if (value !== undefined) return code("json", `Response ${status}`, [JSON.stringify(value, null, 2)]);
  }
  throw new Error(`the document has no example ${operationId}/${example}`);
}

/** Returns the body that an example of the document sends. */
export function recordedBody(document: OpenApiDocument, operationId: string, example: string): unknown {
  const operation = operations(document).find((each) => each.operation.operationId === operationId)?.operation;
  return operation?.requestBody?.content["application/json"]?.examples?.[example]?.value;
}

/** Reports whether the sandbox is off. Guides then omit what would end in an unexplained 404. */
export function isSandboxOff(document: OpenApiDocument): boolean {
  return document["x-sandbox"] === "off";
}
