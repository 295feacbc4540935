import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** One response: a status with headers and a body, a connection that breaks, or one on which nothing ever comes. */
export type Step =
  | { status: number; headers?: Record<string, string>; body?: string }
  | "broken"
  | "broken in the body"
  | "silent";

export interface ScriptedService {
  baseUrl: string;
  requests: Pick<IncomingMessage, "method" | "url" | "headers">[];
}

/** A server that goes through the steps, one for each request, until the running test is over: what a proxy or an outage does, which the service itself can't be made to do. */
export async function scriptedService(...steps: Step[]): Promise<ScriptedService> {
  const requests: ScriptedService["requests"] = [];
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    requests.push({ method, url, headers });
    const step = steps[requests.length - 1] ?? { status: 599 };
    if (step === "silent") return;
    if (step === "broken") return request.socket.destroy();
    if (step === "broken in the body") {
      response.writeHead(200, { "content-length": "100" });
      response.write("{", () => request.socket.destroy());
      return;
    }
    response.writeHead(step.status, step.headers);
    response.end(step.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
