import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Arrival } from "@/server/front-door/arrival";
import { hasBody, leftSignal } from "@/server/front-door/web-request";
import type { ApiRequest, ByteStream } from "@/server/http/api-request";

/** Wraps the request the way endpoints take it, with only the parts of a web Request that they use. */
export function apiRequest(
  req: IncomingMessage,
  res: ServerResponse,
  { method, pathname, search }: Arrival,
): ApiRequest {
  const url = `http://localhost${pathname}${search}`;
  const body = hasBody(req, method) ? new Body(req) : null;
  return new ArrivedRequest(method, url, new ArrivedHeaders(req.headers), body, res);
}

// Classes: a getter or a generator in an object literal costs more than all else here, because V8 makes a shape for each object (ADR 81).
class ArrivedRequest implements ApiRequest {
  private left: AbortSignal | undefined = undefined;

  constructor(
    readonly method: string,
    readonly url: string,
    readonly headers: ApiRequest["headers"],
    readonly body: Body | null,
    private readonly res: ServerResponse,
  ) {}

  get signal(): AbortSignal {
    this.left ??= leftSignal(this.res);
    return this.left;
  }

  get bodyUsed(): boolean {
    return this.body?.isUsed ?? false;
  }
}

class ArrivedHeaders {
  constructor(private readonly headers: IncomingHttpHeaders) {}

  get(name: string): string | null {
    return textOf(this.headers[name]);
  }

  *[Symbol.iterator](): Generator<[string, string]> {
    for (const name in this.headers) yield [name, textOf(this.headers[name]) ?? ""];
  }
}

/** Names are in lower case here and there. */
function textOf(value: string | string[] | undefined): string | null {
  return typeof value === "string" ? value : (value?.join(", ") ?? null);
}

type Read = Awaited<ReturnType<ReturnType<ByteStream["getReader"]>["read"]>>;

/** Reads no further than its reader does. */
class Body implements ByteStream {
  private readonly chunks: Buffer[] = [];
  private state: "unused" | "open" | "over" | "broken" = "unused";
  private wake = () => {};

  constructor(private readonly req: IncomingMessage) {
    // Not `once`: each of these comes once, and Node takes listeners out by the slow way.
    req.on("close", () => this.become(req.readableEnded ? "over" : "broken"));
  }

  get isUsed(): boolean {
    return this.state !== "unused";
  }

  getReader(): Body {
    this.open();
    return this;
  }

  async read(): Promise<Read> {
    for (;;) {
      const value = this.chunks.shift();
      if (value) return { done: false, value };
      if (this.state === "broken") throw new Error("the client went away");
      if (this.state === "over") return { done: true };
      const woken = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      this.req.resume();
      await woken;
    }
  }

  async cancel(): Promise<void> {
    this.chunks.length = 0;
    this.become("over");
  }

  private open(): void {
    if (this.state !== "unused") return;
    this.state = "open";
    this.req.on("data", (chunk: Buffer) => {
      if (this.state !== "open") return;
      this.chunks.push(chunk);
      this.req.pause();
      this.wake();
    });
    this.req.on("end", () => this.become("over"));
    this.req.on("error", () => {}); // "close" follows
  }

  private become(next: "over" | "broken"): void {
    if (this.state !== "over") this.state = next;
    this.wake();
  }
}
