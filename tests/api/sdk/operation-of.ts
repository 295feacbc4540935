import { operations } from "@/server/http/routes/all";

/** The operation of the document that a request is. */
export function operationOf(method: string, path: string): string {
  const found = operations.find(
    (operation) =>
      operation.method.toUpperCase() === method &&
      new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
  );
  if (!found) throw new Error(`the document has no ${method} ${path}`);
  return found.id;
}
