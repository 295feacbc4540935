import { context } from "@/server/context";

/** What is said of a span: names, numbers and ids. No text of anybody's, no token, no address, no value of a statement. */
export type SpanAttributes = Record<string, string | number | boolean>;

export interface SpanInput {
  name: string;
  kind: "server" | "client" | "internal";
  attributes?: SpanAttributes;
  /** The span above it, as a W3C traceparent. Null: there is none. Omitted: the one in which this runs. */
  parent?: string | null;
  /** Spans that it follows from, as traceparents. */
  links?: readonly string[];
  /** Omitted: every error is a fault. */
  isFault?(error: unknown): boolean;
}

export interface Span {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  fail(errorType: string): void;
}

export interface Tracing {
  /** Runs work within a span, which ends with it. */
  within<T>(input: SpanInput, work: (span: Span) => Promise<T>): Promise<T>;
  /** Begins a span that has none below it. Null outside of any span that is still open. */
  leaf(name: string, attributes: SpanAttributes): { end(errorType?: string): void } | null;
  /** The traceparent of the span in which this runs. Null outside of any open one, and in one that is not exported. */
  current(): string | null;
  /** Runs what outlives the span in which it was begun. */
  outside<T>(work: () => T): T;
}

/** Returns the tracing of this process. Undefined: traces go nowhere. */
export function tracing(): Tracing | undefined {
  return context.tracing;
}

/** Runs a piece of background work as a trace of its own. */
export function inOwnTrace<T>(name: string, work: () => Promise<T>): Promise<T> {
  const trace = tracing();
  return trace ? trace.within({ name, kind: "internal", parent: null }, work) : work();
}
