import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** Returns a part of the document's introduction, by its heading: Markdown without the heading. */
export function introductionPart({ info }: Pick<OpenApiDocument, "info">, heading: string): string {
  const [, ...parts] = `\n${info.description}`.split("\n## ");
  const part = parts.find((each) => each.startsWith(`${heading}\n`));
  return (part ?? "").slice(heading.length).trim();
}

/** Returns the text before its first heading. */
export function introductionLead({ info }: Pick<OpenApiDocument, "info">): string {
  return (info.description.split("\n## ")[0] ?? "").trim();
}
