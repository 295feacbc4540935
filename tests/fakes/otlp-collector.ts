import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface SentSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  /** 1 internal, 2 server, 3 client. */
  kind: number;
  /** 2: an error. */
  status: number;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  resource: Record<string, unknown>;
}

export interface Collector {
  origin: string;
  spans: SentSpan[];
  /** Everything that was sent, as it came. */
  raw(): string;
  contentTypes: Set<string | undefined>;
  /** Resolves with the first span that fits, once it is there. */
  next(fits: (span: SentSpan) => boolean, withinMs?: number): Promise<SentSpan>;
  /** From now on requests are accepted and never answered. */
  hang(): void;
  /** How many requests wait for an answer. */
  hanging(): number;
  close(): Promise<void>;
}

/** An OpenTelemetry collector on the loopback, which keeps the spans that it is sent as JSON. */
export async function startCollector(): Promise<Collector> {
  const spans: SentSpan[] = [];
  const bodies: string[] = [];
  const contentTypes = new Set<string | undefined>();
  const waiting = new Set<() => void>();
  const held: ServerResponse[] = [];
  let hangs = false;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      if (hangs) return void held.push(response);
      const body = Buffer.concat(chunks).toString();
      contentTypes.add(request.headers["content-type"]);
      bodies.push(`${request.url}\n${JSON.stringify(request.headers)}\n${body}`);
      if (request.headers["content-type"] === "application/json") spans.push(...spansIn(JSON.parse(body)));
      for (const look of waiting) look();
      response.writeHead(200, { "content-type": request.headers["content-type"] }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    raw: () => bodies.join("\n"),
    contentTypes,
    next: (fits, withinMs = 30_000) =>
      new Promise((resolve, reject) => {
        const end = () => {
          waiting.delete(look);
          clearTimeout(timer);
        };
        const look = () => {
          const found = spans.find(fits);
          if (!found) return;
          end();
          resolve(found);
        };
        const timer = setTimeout(() => {
          end();
          reject(new Error(`no span that fits came; those that did: ${spans.map(({ name }) => name).join(", ")}`));
        }, withinMs);
        waiting.add(look);
        look();
      }),
    hang: () => {
      hangs = true;
    },
    hanging: () => held.length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: OTLP as JSON.
function spansIn({ resourceSpans }: any): SentSpan[] {
  // biome-ignore lint/suspicious/noExplicitAny: OTLP as JSON.
  return resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    // biome-ignore lint/suspicious/noExplicitAny: OTLP as JSON.
    scopeSpans.flatMap(({ spans }: any) =>
      // biome-ignore lint/suspicious/noExplicitAny: OTLP as JSON.
      spans.map((span: any) => ({
        ...span,
        status: span.status?.code ?? 0,
        attributes: attributesOf(span.attributes),
        links: span.links ?? [],
        resource: attributesOf(resource.attributes),
      })),
    ),
  );
}

function attributesOf(list: { key: string; value: Record<string, unknown> }[]): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
}
