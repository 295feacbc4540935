import type { Parameter, Schema } from "@/server/http/openapi/document-shape";
import { examplesOf } from "@/server/http/openapi/placed-examples";
import type { jsonSchemas } from "@/server/http/openapi/schemas";
import type { Wording } from "@/server/http/openapi/wording";
import type { Operation } from "@/server/http/routes/route";

type Schemas = ReturnType<typeof jsonSchemas>;

/**
 * Lists the parameters of an operation: those of its path, then those of its query, from the fields of the schemas that
 * read it.
 */
export function parameters(operation: Operation, schemas: Schemas, wording: Wording): Parameter[] {
  const placed = examplesOf(operation.id, wording);
  const inPath = Object.entries(operation.params ?? {}).map(
    ([name, description]): Parameter => ({
      name,
      in: "path",
      required: true,
      description,
      schema: { type: "string" },
      ...placed.pathParameter(name),
    }),
  );
  const inQuery = (operation.query ?? []).flatMap((component) => {
    // A later page's fields are no condition of the first.
    const required = component === "CursorQuery" ? [] : (schemas[component].required ?? []);
    return Object.entries(schemas[component].properties ?? {}).map(([field, schema]) => {
      const name = schema.type === "array" ? `${field}[]` : field;
      return { ...queryParameter(name, schema, required.includes(field)), ...placed.queryParameter(name) };
    });
  });
  return [...inPath, ...inQuery, ...(operation.isConditional ? [condition(operation, placed)] : [])];
}

function condition({ method }: Operation, placed: ReturnType<typeof examplesOf>): Parameter {
  const [name, description] =
    method === "get"
      ? ["If-None-Match", "An `ETag` that you have: the response is 304 if the event is still the same."]
      : ["If-Match", "The `ETag` that you read, or `*`: the response is 412 if the event has another one by now."];
  const schema = { type: "string" };
  return { name, in: "header", required: false, description, schema, ...placed.headerParameter(name) };
}

function queryParameter(name: string, { description, ...schema }: Schema, required: boolean): Parameter {
  const repeated = schema.type === "array" ? ({ style: "form", explode: true } as const) : {};
  return { name, in: "query", required, description, schema, ...repeated };
}
