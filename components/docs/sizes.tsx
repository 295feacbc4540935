import { type Field, shapes } from "@/components/docs/fields";
import { Rows } from "@/components/docs/markdown";
import type { Table } from "@/components/docs/markdown-parts";
import { operations } from "@/components/docs/operations";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** Lists the size limit of each field of a request, from the schemas that enforce it. */
export function sizes(document: OpenApiDocument): Table {
  const rows = new Map<string, string>();
  for (const { operation, isNotification } of operations(document)) {
    const [content] = Object.values(operation.requestBody?.content ?? {});
    if (!content || isNotification) continue;
    for (const { fields } of shapes(document, content.schema)) collect(rows, fields, "");
  }
  return { head: ["Field", "Limit"], rows: [...rows].map(([field, limit]) => [`\`${field}\``, limit]) };
}

export function Sizes({ document }: { document: OpenApiDocument }) {
  return <Rows {...sizes(document)} />;
}

function collect(rows: Map<string, string>, fields: readonly Field[], before: string): void {
  for (const { name, limits, fields: inner } of fields) {
    const path = `${before}${name}`;
    const limit = limits.filter((each) => /\d/.test(each) && !/`/.test(each)).join(", ");
    if (limit) rows.set(path, limit);
    collect(rows, inner, `${path}.`);
  }
}
