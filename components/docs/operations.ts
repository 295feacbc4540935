import type { OpenApiDocument, OperationObject } from "@/server/http/openapi/document-shape";

export interface Operation {
  operation: OperationObject;
  method: string;
  /** As in the document: `/v1/calendars/{calendar_id}/events`. */
  path: string;
  /** The operation's host: the API's unless it says otherwise. */
  server: string;
  /** Almanac sends this one to the application. */
  isNotification: boolean;
}

export interface OperationGroup {
  name: string;
  description: string;
  operations: Operation[];
}

/** Lists every endpoint, and what is sent to callback URLs, in the document's order. */
export function operations(document: OpenApiDocument): Operation[] {
  const [home] = document.servers;
  const from = (paths: OpenApiDocument["paths"], isNotification: boolean) =>
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        operation,
        method: method.toUpperCase(),
        path: isNotification ? "your callback URL" : path,
        server: operation.servers?.[0]?.url ?? home?.url ?? "",
        isNotification,
      })),
    );
  return [...from(document.paths, false), ...from(document.webhooks, true)];
}

export function operationGroups(document: OpenApiDocument): OperationGroup[] {
  const all = operations(document);
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: all.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

export function findOperation(document: OpenApiDocument, id: string): Operation | undefined {
  return operations(document).find(({ operation }) => operation.operationId === id);
}

export function operationPath(id: string): string {
  return `/docs/reference/${id}`;
}
