import { everyExample } from "@/components/docs/every-example";
import type { OpenApiDocument, OperationObject } from "@/server/http/openapi/document-shape";

/** A request as an example of the document says it. */
export interface ExampleRequest {
  method: string;
  path: string;
  body?: unknown;
  json?: unknown;
  form?: Record<string, string>;
  headers: Record<string, string>;
}

/** The request that an operation's parameters and bodies hold under one name. */
export function exampleRequest(document: OpenApiDocument, operationId: string, name: string): ExampleRequest {
  const { method, template, operation } = find(document, operationId);
  let path = template;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const holder of operation.parameters ?? []) {
    const { name: parameter, in: place } = holder;
    const value = everyExample(holder)[name]?.value as string | string[] | undefined;
    if (value === undefined) continue;
    if (place === "path") path = path.replace(`{${parameter}}`, String(value));
    else if (place === "header") headers[parameter] = String(value);
    else for (const each of [value].flat()) query.append(parameter, each);
  }
  const content = operation.requestBody?.content ?? {};
  const json = everyExample(content["application/json"] ?? {})[name]?.value;
  const form = everyExample(content["application/x-www-form-urlencoded"] ?? {})[name]?.value as ExampleRequest["form"];
  const search = query.size > 0 ? `?${query}` : "";
  return { method: method.toUpperCase(), path: path + search, body: json ?? form, json, form, headers };
}

/** Every example of a request or an answer in the document, as `operation/name`. */
export function exampleNames(document: OpenApiDocument): string[] {
  const all = Object.values(document.paths).flatMap((item) => Object.values(item));
  const names = all.flatMap(({ operationId, parameters = [], requestBody, responses }) => {
    const contents = [requestBody, ...Object.values(responses)].flatMap((holder) =>
      Object.values(holder?.content ?? {}),
    );
    return [...parameters, ...contents].flatMap((holder) =>
      Object.keys(everyExample(holder)).map((name) => `${operationId}/${name}`),
    );
  });
  return [...new Set(names)];
}

function find(document: OpenApiDocument, operationId: string) {
  for (const [template, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item) as [string, OperationObject][]) {
      if (operation.operationId === operationId) return { method, template, operation };
    }
  }
  throw new Error(`the document has no operation ${operationId}`);
}
