import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { badRequest } from "./errors";

export interface WireRequest {
  method: string;
  url: URL;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: string;
  /** A part of a batch. */
  isPart?: boolean;
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
  // [K]: the message that reports of Graph quote for a body that is no JSON object.
  throw badRequest(
    "BadRequest",
    "Unable to read JSON request payload. Please ensure Content-Type header is set and payload is of valid JSON format.",
  );
}

/** A query parameter whatever its case: the reference writes both startDateTime and startdatetime. */
export function parameter(query: URLSearchParams, name: string): string | null {
  for (const [key, value] of query) if (key.toLowerCase() === name.toLowerCase()) return value;
  return null;
}

/** What a client prefers: the header Prefer, whose values commas join (RFC 7240 section 2). */
export interface Preferences {
  immutableIds: boolean;
  /** The name as it was given. */
  timeZone: string | null;
  bodyType: "text" | "html";
  maxPageSize: number | null;
  /** What the header Preference-Applied confirms. */
  applied: string[];
}

export function preferences({ headers }: WireRequest): Preferences {
  const given = [headers.prefer ?? []].flat().join(",");
  const value = (name: string) => new RegExp(`(?:^|,)\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^,;\\s]+))`, "i").exec(given);
  const of = (name: string) => value(name)?.[1] ?? value(name)?.[2] ?? null;
  const timeZone = of("outlook\\.timezone");
  const bodyType = of("outlook\\.body-content-type")?.toLowerCase() === "text" ? "text" : "html";
  const size = Number(of("odata\\.maxpagesize"));
  const immutableIds = of("IdType")?.toLowerCase() === "immutableid";
  return {
    immutableIds,
    timeZone,
    bodyType,
    maxPageSize: Number.isInteger(size) && size > 0 ? size : null,
    applied: [
      ...(immutableIds ? ['IdType="ImmutableId"'] : []),
      ...(timeZone === null ? [] : [`outlook.timezone="${timeZone}"`]),
      ...(of("outlook\\.body-content-type") === null ? [] : [`outlook.body-content-type="${bodyType}"`]),
      ...(size > 0 ? [`odata.maxpagesize=${size}`] : []),
      ...(/odata\.track-changes/i.test(given) ? ["odata.track-changes"] : []),
    ],
  };
}
