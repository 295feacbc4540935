import { commentOf, type Document, openEnums, operationIds, queriesOf, type Schema } from "./schema";

const reserved = new Set("from class import global".split(" "));

/** The source of almanac_calendar/openapi.py: a TypedDict or an alias for each schema of the document, and one for the query of each operation that has one. */
export function pythonTypes(document: Document): string {
  const schemas = Object.entries(document.components.schemas).flatMap(([name, schema]) => declared(name, schema));
  const queries = queriesOf(document).flatMap(({ name, schema }) => declared(name, schema));
  const ids = operationIds(document).map((id) => JSON.stringify(id));
  return [
    '"""Generated from the OpenAPI document. Don\'t edit this file: see CONTRIBUTING.md."""',
    "from __future__ import annotations\n\nfrom typing import Literal, NotRequired, TypeAlias, TypedDict",
    `OPERATION_IDS = (${ids.join(", ")})`,
    ...schemas,
    ...queries,
    "",
  ].join("\n\n");
}

/** The declarations of a type: those of the objects inside it first. */
function declared(name: string, schema: Schema): string[] {
  const inner: string[] = [];
  if (schema.type === "object" && schema.properties) {
    const own = objectOf(name, schema, inner);
    return [...inner, own];
  }
  const type = typeOf(schema, name, inner);
  return [
    ...inner,
    `${comment(schema.description)}${name}: TypeAlias = ${JSON.stringify(type).replaceAll('\\"', "'")}`,
  ];
}

function typeOf(schema: Schema, name: string, inner: string[], key = ""): string {
  if (schema.$ref) return schema.$ref.replace("#/components/schemas/", "");
  if (schema.anyOf) {
    return unique(
      schema.anyOf.map((one, index) =>
        typeOf(one.type ? one : { ...one, type: schema.type }, `${name}${index + 1}`, inner, key),
      ),
    );
  }
  if (schema.const !== undefined) return literal([schema.const]);
  if (schema.enum) return openEnums.has(key) ? "str" : literal(schema.enum);
  if (Array.isArray(schema.type))
    return unique(schema.type.map((type) => typeOf({ ...schema, type }, name, inner, key)));
  switch (schema.type) {
    case "array":
      return `list[${typeOf(schema.items ?? {}, `${name}Item`, inner, key)}]`;
    case "object":
      if (typeof schema.additionalProperties === "object") {
        return `dict[str, ${typeOf(schema.additionalProperties, `${name}Value`, inner)}]`;
      }
      inner.push(objectOf(name, schema, inner));
      return name;
    case "string":
      return "str";
    case "integer":
      return "int";
    case "number":
      return "float";
    case "boolean":
      return "bool";
    case "null":
      return "None";
    default:
      throw new Error(`the generator knows no type for ${JSON.stringify(schema)}`);
  }
}

function objectOf(name: string, { properties = {}, required = [], description }: Schema, inner: string[]): string {
  const fields = Object.entries(properties).map(([key, schema]) => ({
    key,
    type: typeOf(schema, `${name}${pascal(key)}`, inner, key),
    isRequired: required.includes(key),
    comment: comment(schema.description),
  }));
  if (fields.every(({ key }) => /^\w+$/.test(key) && !reserved.has(key))) {
    const lines = fields.map(({ key, type, isRequired, comment }) => {
      return `${comment}${key}: ${isRequired ? type : `NotRequired[${type}]`}`;
    });
    return `${comment(description)}class ${name}(TypedDict):\n${indented(lines.join("\n"))}`;
  }
  const lines = fields.map(({ key, type, isRequired, comment }) => {
    const quoted = `"${type.replaceAll('"', "'")}"`;
    return `${comment}${JSON.stringify(key)}: ${isRequired ? quoted : `NotRequired[${quoted}]`},`;
  });
  const members = indented(indented(lines.join("\n")));
  return `${comment(description)}${name} = TypedDict(\n    "${name}",\n    {\n${members}\n    },\n)`;
}

function literal(values: (string | number | boolean)[]): string {
  const all = values.map((value) => (typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value)));
  return `Literal[${all.join(", ")}]`;
}

function unique(types: string[]): string {
  return [...new Set(types)].join(" | ");
}

function pascal(text: string): string {
  return text.replaceAll(/(?:^|[^A-Za-z0-9])([a-z])/g, (_, letter) => letter.toUpperCase());
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "    ");
}

function comment(description?: string): string {
  const text = commentOf(description);
  return text === "" ? "" : `${text.replaceAll(/^/gm, "# ")}\n`;
}
