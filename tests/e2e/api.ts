import { expect } from "@playwright/test";

export const credentials = { client_id: "acme", client_secret: "acme-secret" };

/** The JSON of a successful response; null: it has no body. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into the documented JSON.
export type Api = (token: string | null, method: string, path: string, json?: object) => Promise<any>;

/** Requests to the service at `origin`. */
export function apiAt(origin: () => string): Api {
  return async (token, method, path, json) => {
    const response = await fetch(origin() + path, {
      method,
      body: json && JSON.stringify(json),
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    });
    const text = await response.text();
    expect([path, response.ok, response.ok ? "" : text]).toEqual([path, true, ""]);
    return text === "" ? null : JSON.parse(text);
  };
}
