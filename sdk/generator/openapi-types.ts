import { commentOf, type Document, openEnums, operationIds, queriesOf, type Schema } from "./schema";

/** The source of sdk/src/generated/openapi.ts: a type for each schema of the document, and one for the query of each operation that has one. */
export function openApiTypes(document: Document): string {
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${comment(schema.description)}export type ${name} = ${typeOf(schema)};\n`,
  );
  const queries = queriesOf(document).map(
    ({ name, operation, schema }) => `${comment(`Query of ${operation}.`)}export type ${name} = ${typeOf(schema)};\n`,
  );
  const ids = operationIds(document).map((id) => JSON.stringify(id));
  return [
    "// Generated from the OpenAPI document. Don't edit this file: see CONTRIBUTING.md.\n",
    "/** One of the listed values, or one that this version of the client doesn't know. */\nexport type Open<Known extends string> = Known | (string & Record<never, never>);\n",
    `/** Every operation of the API. */\nexport type OperationId = ${unique(ids)};\n`,
    ...schemas,
    ...queries,
  ].join("\n");
}

function typeOf(schema: Schema, name = ""): string {
  if (schema.$ref) return schema.$ref.replace("#/components/schemas/", "");
  if (schema.anyOf)
    return unique(schema.anyOf.map((one) => typeOf(one.type ? one : { ...one, type: schema.type }, name)));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return enumOf(schema.enum, name);
  if (Array.isArray(schema.type)) return unique(schema.type.map((type) => typeOf({ ...schema, type }, name)));
  switch (schema.type) {
    case "array":
      return `Array<${typeOf(schema.items ?? {}, name)}>`;
    case "object":
      return objectOf(schema);
    case "integer":
      return "number";
    case "string":
    case "number":
    case "boolean":
    case "null":
      return schema.type;
    default:
      throw new Error(`the generator knows no type for ${JSON.stringify(schema)}`);
  }
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): string {
  if (typeof additionalProperties === "object") return `Record<string, ${typeOf(additionalProperties)}>`;
  const members = Object.entries(properties).map(([name, schema]) => member(name, schema, required.includes(name)));
  return `{\n${members.join("\n")}\n}`;
}

function member(name: string, schema: Schema, isRequired: boolean): string {
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  return `${comment(schema.description)}${key}${isRequired ? "" : "?"}: ${typeOf(schema, name)};`;
}

function enumOf(values: (string | number)[], name: string): string {
  const union = unique(values.map((value) => JSON.stringify(value)));
  return openEnums.has(name) ? `Open<${union}>` : union;
}

function unique(types: string[]): string {
  return [...new Set(types)].join(" | ");
}

function comment(description?: string): string {
  const text = commentOf(description);
  return text === "" ? "" : `/** ${text.replaceAll("*/", "*\\/").replaceAll("\n", "\n * ")} */\n`;
}
