import { request } from "node:http";

export interface Reply {
  status: number;
  text: string;
  cookies: string[];
  location: string | null;
  retryAfter: string | null;
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A request from an address of the loopback, on a connection of its own. */
export function fromAddress(
  localAddress: string,
  url: string,
  { method = "GET", headers, body }: Sent = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, localAddress, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of response) chunks.push(chunk);
      } catch (error) {
        reject(error);
      }
      resolve({
        status: response.statusCode ?? 0,
        text: Buffer.concat(chunks).toString(),
        cookies: response.headers["set-cookie"] ?? [],
        location: response.headers.location ?? null,
        retryAfter: response.headers["retry-after"] ?? null,
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
