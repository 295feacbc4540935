import { introductionLead, introductionPart } from "@/components/docs/introduction";
import { operationGroups, operationPath } from "@/components/docs/operations";
import { pieces, table } from "@/components/docs/written/parts";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** Writes the overview of the API as Markdown. */
export function writtenReference(document: OpenApiDocument): string {
  const groups = operationGroups(document).map(({ name, description, operations }) => {
    const rows = operations.map(({ operation, method, path }) => [
      `[${operation.summary}](${operationPath(operation.operationId)})`,
      `\`${method} ${path}\``,
    ]);
    return pieces(`## ${name}`, description, table({ head: ["Operation", "Request"], rows }));
  });
  const parts = ["Conventions", "Authentication"].map((title) =>
    pieces(`## ${title}`, introductionPart(document, title)),
  );
  const also =
    "Also available as an OpenAPI 3.1 document, [/openapi.json](/openapi.json), and as a collection for Postman, Bruno or Insomnia, [/openapi/postman.json](/openapi/postman.json)";
  return pieces("# API overview", introductionLead(document), also, ...groups, ...parts);
}
