import { env } from "@/server/env";
import { type ApiResponse, call } from "../service";
import type { Browser } from "./browser";

/** How a page of ours sends an operation, without its cookie. */
export const fromOurPage = () => ({
  origin: env().APP_URL,
  "sec-fetch-site": "same-origin",
  accept: "application/json",
});

export function cookieOf({ jar }: Pick<Browser, "jar">): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** Sends an operation as GraphiQL does. */
export function operate(
  query: string,
  { from, variables, headers }: { from?: Browser; variables?: object; headers?: Record<string, string> } = {},
): Promise<ApiResponse> {
  const cookie = from ? { cookie: cookieOf(from) } : {};
  return call("POST", "/api/graphql", {
    json: { query, variables },
    headers: { ...fromOurPage(), ...cookie, ...headers } as Record<string, string>,
  });
}

/** What an operation gave, which is expected to give no error. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into what they asked for.
export async function read(query: string, from: Browser, variables?: object): Promise<any> {
  const { json, text } = await operate(query, { from, variables });
  if (!json?.data || json.errors) throw new Error(`the operation failed: ${text}`);
  return json.data;
}

/** Code and sentence of each error of an answer. */
export function errorsOf({ json }: ApiResponse): [string | undefined, string][] {
  return (json?.errors ?? []).map((error: { message: string; extensions?: { code?: string } }) => [
    error.extensions?.code,
    error.message,
  ]);
}
