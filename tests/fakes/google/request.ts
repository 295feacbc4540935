import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { invalid } from "./errors";

export interface WireRequest {
  method: string;
  url: URL;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Reads a request whole. */
export async function readRequest(req: IncomingMessage, origin: string): Promise<WireRequest> {
  const url = new URL(req.url ?? "/", origin);
  return { method: req.method ?? "GET", url, query: url.searchParams, headers: req.headers, body: await text(req) };
}

/** The path without percent-encoding, or as it is if that is broken. */
export function decodedPath({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** The JSON object of a request's body. */
export function jsonBody({ body }: WireRequest): Record<string, unknown> {
  if (body === "") return {};
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  // [K]: Google reports a body that is no JSON object as parseError.
  throw invalid("Parse Error");
}

/** A boolean parameter of the query. */
export function flag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  if (value !== null && value !== "true" && value !== "false") throw invalid(`Invalid boolean value: '${value}'.`);
  return value === "true";
}

/** A whole number of the query, at least `least`. */
export function integer(query: URLSearchParams, name: string, least = 0): number | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < least) throw invalid(`Invalid value '${value}' for parameter ${name}.`);
  return number;
}
