import { Agent, request } from "node:http";

const agents = new Map<string, Agent>();

/** One line of the table. A value above its limit fails the bench. */
export interface Row {
  what: string;
  ours: string;
  other: string;
  value: number;
  limit: number;
  unit: string;
}

export interface Call {
  origin: string;
  method: "GET" | "POST";
  path: string;
  token?: string;
  body?: string;
  expect: number;
}

/** Milliseconds from sending a request to the last byte of its answer, on a kept connection. A status that was not expected throws. */
export function timed(call: Call): Promise<{ ms: number; body: string }> {
  const agent = agents.get(call.origin) ?? new Agent({ keepAlive: true, maxSockets: 16 });
  agents.set(call.origin, agent);
  const headers: Record<string, string> = call.token ? { authorization: `Bearer ${call.token}` } : {};
  if (call.body !== undefined)
    Object.assign(headers, {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(call.body)),
    });
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const sent = request(call.origin + call.path, { method: call.method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        const ms = performance.now() - began;
        const body = Buffer.concat(chunks).toString();
        if (response.statusCode === call.expect) resolve({ ms, body });
        else reject(new Error(`${call.method} ${call.path}: ${response.statusCode} ${body.slice(0, 200)}`));
      });
    });
    sent.on("error", reject);
    sent.end(call.body);
  });
}

/** Ends what still holds connections. */
export function hangUp(): void {
  for (const agent of agents.values()) agent.destroy();
}
