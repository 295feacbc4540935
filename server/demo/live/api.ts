import { randomUUID } from "node:crypto";
import { REQUEST_IDS } from "@/server/demo/marks";

// biome-ignore lint/suspicious/noExplicitAny: it is the documented JSON of many endpoints.
export type Json = any;

export interface ApiResponse {
  status: number;
  json: Json;
}

interface ApiCall {
  token?: string;
  json?: object;
  headers?: Record<string, string>;
}

/** The public API, as the application of the rooms calls it. */
export interface Api {
  call(method: "GET" | "POST" | "DELETE", path: string, call?: ApiCall): Promise<ApiResponse>;
}

/** Returns headers for a call with an unknown token, which belongs to no application. */
export const unknownCallerHeaders = () => ({ "svc-request-id": `${REQUEST_IDS}${randomUUID()}` });

export function api(baseUrl: string): Api {
  return {
    async call(method, path, { token, json, headers } = {}) {
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          ...{ "user-agent": "harbor-rooms/2.4 (node)", accept: "application/json" },
          ...headers,
          ...(token && { authorization: `Bearer ${token}` }),
          ...(json && { "content-type": "application/json" }),
        },
        ...(json && { body: JSON.stringify(json) }),
      });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
      return { status: response.status, json: isJson && text !== "" ? JSON.parse(text) : null };
    },
  };
}
