import type { ComponentName } from "@/server/http/components";
import type { EndpointError } from "@/server/http/error-keys";
import type { OfferedProvider } from "@/server/http/openapi/providers";
import type { OperationMethod } from "@/server/http/routes/route";

/** A JSON Schema (2020-12) as far as the document's readers look into it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  [keyword: string]: unknown;
}

export interface ExampleObject {
  summary?: string;
  value: unknown;
}

export interface Content {
  schema: Schema;
  examples?: Record<string, ExampleObject>;
  /** Examples of requests that the schema refuses. */
  "x-mistakes"?: Record<string, ExampleObject>;
}

export interface Parameter {
  name: string;
  in: "query" | "path" | "header";
  required: boolean;
  description?: string;
  schema: Schema;
  style?: "form";
  explode?: boolean;
  examples?: Record<string, ExampleObject>;
  /** Examples of requests that the schema refuses. */
  "x-mistakes"?: Record<string, ExampleObject>;
}

export interface Header {
  description?: string;
  required?: boolean;
  schema: Schema;
  examples?: Record<string, ExampleObject>;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, Header | { $ref: string }>;
  /** Left out: an empty body. */
  content?: Record<string, Content>;
  /** Of a 422: which keys the endpoint answers with, on which fields, and when. */
  "x-error-keys"?: readonly EndpointError[];
}

export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  servers?: { url: string }[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Content> };
  responses: Record<string, ResponseObject>;
}

/** Tells whether an operation takes a request without a token. */
export function isOpenToAll({ security }: OperationObject): boolean {
  return security?.length === 0 || security?.some((each) => Object.keys(each).length === 0) === true;
}

export type PathItem = Partial<Record<OperationMethod, OperationObject>>;

export interface OpenApiDocument {
  openapi: "3.1.1";
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    contact: { name: string; url: string };
    license: { name: string; identifier: string };
  };
  jsonSchemaDialect: string;
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  webhooks: Record<string, PathItem>;
  components: {
    schemas: Record<ComponentName, Schema>;
    headers: Record<string, Header>;
    securitySchemes: Record<string, unknown>;
  };
  /** Every key of a 422 with its meaning. */
  "x-error-keys": Record<string, string>;
  /** Whose calendars users of this service can connect. */
  "x-providers": OfferedProvider[];
  /** There only if the service has switched it off. */
  "x-sandbox"?: "off";
}
