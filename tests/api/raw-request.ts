import { request } from "node:http";
import { checkResponse } from "./openapi/response-check";
import { type ApiResponse, address } from "./service";

export interface RawRequest {
  method: string;
  /** Sent as it is: fetch would mend it. */
  target: string;
  headers?: Record<string, string>;
  body?: string;
  /** The address that the socket comes from. */
  from?: string;
  /** Whatever comes back is fine. */
  isUnchecked?: boolean;
}

/** A request that fetch cannot make: odd methods and targets, a body on GET, another socket address. */
export async function rawRequest({
  method,
  target,
  headers = {},
  body,
  from,
  isUnchecked,
}: RawRequest): Promise<ApiResponse> {
  const { hostname, port } = new URL(await address());
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path: target, headers: { ...length, ...headers }, localAddress: from, agent: false },
      async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        const pairs = Object.entries(response.headers).map(
          ([name, value]) => [name, String(value)] as [string, string],
        );
        const answer = { status: response.statusCode ?? 0, headers: new Headers(pairs), text, json: jsonOf(text) };
        try {
          if (!isUnchecked) checkResponse({ method, path: target }, answer);
          resolve(answer);
        } catch (error) {
          reject(error);
        }
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

function jsonOf(text: string): unknown {
  return text.startsWith("{") ? JSON.parse(text) : undefined;
}
