import type { Content, ExampleObject } from "@/server/http/openapi/document-shape";

/** Collects the examples of a body or a parameter by name: those that the document allows, and mistakes. */
export function everyExample(holder: Pick<Content, "examples" | "x-mistakes">): Record<string, ExampleObject> {
  return { ...holder.examples, ...holder["x-mistakes"] };
}
