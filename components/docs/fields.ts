import { inWords } from "@/components/docs/in-words";
import type { OpenApiDocument, Schema } from "@/server/http/openapi/document-shape";

/** A field as the reference lists it. */
export interface Field {
  name: string;
  /** In words: "array of objects". */
  kind: string;
  isRequired: boolean;
  /** Markdown. */
  description: string;
  /** Its allowed values, in words: "up to 2,000 characters". */
  limits: string[];
  fields: Field[];
}

/** One form of a body. Most have one. */
export interface Shape {
  /** What distinguishes it from the others, such as `grant_type` `refresh_token`. */
  title: string | null;
  fields: Field[];
}

type Components = Pick<OpenApiDocument, "components">;

/** Lists the forms of an object's schema. */
export function shapes(document: Components, schema: Schema): Shape[] {
  const whole = resolved(document, schema);
  const ways = whole.anyOf ?? [whole];
  return ways.map((way) => {
    const inner = resolved(document, way);
    return { title: ways.length > 1 ? titleOf(inner) : null, fields: fieldsOf(document, inner) };
  });
}

export interface NamedSchema {
  name: string;
  schema: Schema;
  isRequired: boolean;
  description?: string;
}

export function fieldOf(document: Components, { name, schema, isRequired, description }: NamedSchema): Field {
  const whole = resolved(document, schema);
  const inner = objectOf(document, whole);
  return {
    name,
    kind: kindOf(document, whole),
    isRequired,
    description: description ?? whole.description ?? "",
    limits: limitsOf(document, whole),
    fields: inner ? fieldsOf(document, inner) : [],
  };
}

function fieldsOf(document: Components, { properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([name, schema]) =>
    fieldOf(document, { name, schema, isRequired: required.includes(name) }),
  );
}

/** Resolves a schema's reference. What is next to the reference overrides what it points to. */
function resolved({ components }: Components, schema: Schema): Schema {
  if (!schema.$ref) return schema;
  const name = schema.$ref.split("/").at(-1) as keyof typeof components.schemas;
  const { $ref: _, ...beside } = schema;
  return { ...components.schemas[name], ...beside };
}

/** Finds the object that a value is, contains as entries, or may be. */
function objectOf(document: Components, schema: Schema): Schema | undefined {
  if (schema.properties) return schema;
  if (schema.items) return objectOf(document, resolved(document, schema.items));
  return schema.anyOf?.map((way) => objectOf(document, resolved(document, way))).find(Boolean);
}

function titleOf({ properties = {} }: Schema): string | null {
  const described = Object.entries(properties).find(([, { const: only }]) => only !== undefined);
  return described ? `\`${described[0]}\` \`${described[1].const}\`` : null;
}

const formats: Record<string, string> = {
  date: "date",
  "date-time": "time",
  email: "email address",
  uri: "URL",
  "uri-reference": "URL",
};
const plurals: Record<string, string> = { string: "strings", object: "objects", integer: "integers" };

function kindOf(document: Components, schema: Schema): string {
  if (schema.anyOf && schema.anyOf.length > 0) {
    const kinds = new Set(schema.anyOf.map((way) => kindOf(document, resolved(document, way))));
    return inWords([...kinds], "or");
  }
  if (Array.isArray(schema.type)) return inWords(schema.type.map(plainKind), "or");
  if (schema.type === "array") {
    const entry = schema.items ? kindOf(document, resolved(document, schema.items)) : "value";
    return `array of ${plurals[entry] ?? `${entry}s`}`;
  }
  return formats[String(schema.format)] ?? plainKind(schema.type ?? (schema.properties ? "object" : "value"));
}

function plainKind(type: string): string {
  return type;
}

function limitsOf(document: Components, schema: Schema): string[] {
  const number = (keyword: string) => (typeof schema[keyword] === "number" ? (schema[keyword] as number) : undefined);
  const [least, most] = [number("minimum"), number("maximum")];
  const isOpen = most === undefined || most >= Number.MAX_SAFE_INTEGER;
  const entries = schema.items ? limitsOf(document, resolved(document, schema.items)) : [];
  const only = schema.anyOf
    ?.flatMap((way) => limitsOf(document, resolved(document, way)))
    .filter((limit) => !limit.startsWith("starts"));
  return [
    ...(schema.const === undefined ? [] : [`always \`${schema.const}\``]),
    ...(schema.enum ? [`one of ${schema.enum.map((value) => `\`${value}\``).join(", ")}`] : []),
    ...(number("maxLength") ? [`up to ${counted(number("maxLength"))} characters`] : []),
    ...(number("maxItems") ? [itemLimit(number("minItems"), number("maxItems"))] : []),
    ...(least !== undefined && !isOpen ? [`${counted(least)} to ${counted(most)}`] : []),
    ...startsWith(schema.pattern),
    ...(isPlain(schema.default) ? [`default \`${schema.default}\``] : []),
    ...entries.map((limit) => (schema.items ? `each ${limit}` : limit)),
    ...(only ?? []),
  ];
}

function itemLimit(least: number | undefined, most: number | undefined): string {
  if (least === most) return `exactly ${counted(most)}`;
  return least ? `${counted(least)} to ${counted(most)} entries` : `up to ${counted(most)} entries`;
}

/** Extracts the prefixes of ids from `^cal_…`. */
function startsWith(pattern: unknown): string[] {
  const found = typeof pattern === "string" ? /^\^([a-z]+_)/.exec(pattern) : null;
  return found ? [`starts with \`${found[1]}\``] : [];
}

function isPlain(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

export function counted(value: number | undefined): string {
  return (value ?? 0).toLocaleString("en");
}
