import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { parsedUrl } from "@/server/domain/net/parsed-url";
import { env } from "@/server/env";
import type { OpenApiDocument, ResponseObject, Schema } from "@/server/http/openapi/document-shape";
import { servedDocument } from "@/server/http/openapi/served";
import type { OperationMethod } from "@/server/http/routes/route";

interface Sent {
  method: string;
  /** With or without a query. */
  path: string;
}

interface Received {
  status: number;
  headers: Headers;
  text: string;
}

/** Throws unless the OpenAPI document has this answer, for requests to paths that it has: status, headers, content type and body. */
export function checkResponse(sent: Sent, received: Received): void {
  const { document } = read();
  const template = templateOf(sent.path);
  const item = template && document.paths[template];
  if (!template || !item) return;
  const isHead = sent.method === "HEAD";
  const method = (isHead ? "get" : sent.method.toLowerCase()) as OperationMethod;
  const operation = item[method];
  if (!operation) {
    expectNotAllowed(sent, template, received);
    return;
  }
  const place = `${method.toUpperCase()} ${template} ${received.status}`;
  const response = operation.responses[received.status];
  if (!response) throw new Error(`the OpenAPI document has no such answer: ${place} ${received.text}`);
  const faults = [
    ...headerFaults(response, place, received.headers),
    ...(isHead ? [] : bodyFaults(response, place, received)),
  ];
  if (faults.length > 0) {
    throw new Error(`the OpenAPI document describes ${place} otherwise: ${faults.join("; ")}\n${received.text}`);
  }
}

/** What is wrong with a value of a component. */
export function componentFaults(name: string, value: unknown): string[] {
  return faultsOf(`#/components/schemas/${name}`, value);
}

/** The connect page's own form is no part of the API. */
function expectNotAllowed({ method }: Sent, template: string, { status, text, headers }: Received): void {
  if (template === "/oauth/authorize" && method === "POST") return;
  if (status === 405 && text === "" && headers.has("allow")) return;
  throw new Error(`the OpenAPI document has no ${method} ${template}: 405 with Allow, not ${status} ${text}`);
}

interface Read {
  document: OpenApiDocument;
  ajv: Ajv2020;
  compiled: Map<string, ValidateFunction>;
  templates: [string, RegExp][];
}

const known = new Map<string, Read>();

function read(): Read {
  const { WIRE_NAMES } = env();
  const found = known.get(WIRE_NAMES);
  if (found) return found;
  const document = servedDocument();
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats(ajv);
  ajv.addSchema(closed(document) as object, "openapi");
  const templates = Object.keys(document.paths).map((template): [string, RegExp] => [
    template,
    new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}/?$`),
  ]);
  const made = { document, ajv, compiled: new Map(), templates };
  known.set(WIRE_NAMES, made);
  return made;
}

/**
 * The document with every object closed that names its properties. Callers are told that answers may get new fields; a field that nobody
 * documented is a mistake all the same.
 */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, closed(entry)]));
  const isOpen = inner.type === "object" && "properties" in inner && !("additionalProperties" in inner);
  return isOpen ? { ...inner, additionalProperties: false } : inner;
}

function templateOf(path: string): string | undefined {
  const pathname = parsedUrl(path, "http://localhost")?.pathname;
  if (pathname === undefined) return undefined;
  const matching = read().templates.filter(([, pattern]) => pattern.test(pathname));
  return (matching.find(([template]) => !template.includes("{")) ?? matching[0])?.[0];
}

function headerFaults({ headers = {} }: ResponseObject, place: string, received: Headers): string[] {
  return Object.keys(headers).flatMap((name) => {
    const value = received.get(name);
    const declared = headers[name];
    const mayBeMissing = declared && "schema" in declared && declared.required === false;
    if (value === null) return mayBeMissing ? [] : [`${name} is missing`];
    if (declared && "schema" in declared) return faultsOf(`${pointerTo(place)}/headers/${name}/schema`, value);
    const { type } = read().document.components.headers[name]?.schema ?? {};
    return faultsOf(`#/components/headers/${name}/schema`, type === "integer" ? Number(value) : value);
  });
}

function bodyFaults({ content }: ResponseObject, place: string, { status, headers, text }: Received): string[] {
  const [documented] = Object.keys(content ?? {});
  if (status === 503 && text === "") return []; // who is busy says nothing
  if (!documented) return text === "" ? [] : ["the body should be empty"];
  const type = headers.get("content-type")?.split(";", 1)[0];
  if (type !== documented) return [`the content type should be ${documented}, not ${type}`];
  if (documented !== "application/json") return [];
  return faultsOf(`${pointerTo(place)}/content/${escaped(documented)}/schema`, JSON.parse(text));
}

/** Of a response, named as in "GET /v1/account 200". */
function pointerTo(place: string): string {
  const [method = "", template = "", status = ""] = place.split(" ");
  return `#/${["paths", template, method.toLowerCase(), "responses", status].map(escaped).join("/")}`;
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function faultsOf(pointer: string, value: unknown): string[] {
  const { ajv, compiled } = read();
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi${pointer}` } satisfies Schema);
  compiled.set(pointer, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(" ").trim(),
  );
}
