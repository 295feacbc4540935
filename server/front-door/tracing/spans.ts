import { AsyncLocalStorage } from "node:async_hooks";
import type { Context, Link, Span as OtelSpan, Tracer } from "@opentelemetry/api";
import type { Span, SpanInput, Tracing } from "@/server/tracing";

/** The packages that are loaded only where traces are sent. */
export interface Packages {
  api: typeof import("@opentelemetry/api");
  core: typeof import("@opentelemetry/core");
}

/** Makes Almanac's spans with OpenTelemetry's tracer. Remembers which span runs, which nothing else can see. */
export function spansOf(tracer: Tracer, { api, core }: Packages): Tracing {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } = api;
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
  const running = new AsyncLocalStorage<Context>();

  /** What was begun in a span may go on after its end, and is no part of it. */
  const open = () => {
    const context = running.getStore();
    const span = context && trace.getSpan(context);
    return context && span?.isRecording() ? { context, span } : undefined;
  };
  const remote = (traceparent: string) => {
    const context = core.parseTraceParent(traceparent);
    return context ? { ...context, isRemote: true } : null;
  };
  const contextOf = ({ parent }: SpanInput): Context => {
    if (parent === undefined) return running.getStore() ?? ROOT_CONTEXT;
    const above = parent === null ? null : remote(parent);
    return above ? trace.setSpanContext(ROOT_CONTEXT, above) : ROOT_CONTEXT;
  };
  const linksOf = ({ links = [] }: SpanInput): Link[] =>
    links.flatMap((traceparent) => {
      const context = remote(traceparent);
      return context ? [{ context }] : [];
    });
  const fail = (span: OtelSpan, errorType: string) => {
    span.setAttribute("error.type", errorType);
    span.setStatus({ code: SpanStatusCode.ERROR });
  };

  return {
    async within(input, work) {
      const above = contextOf(input);
      const { name, kind, attributes, isFault = () => true } = input;
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes, links: linksOf(input) }, above);
      const handle: Span = {
        rename: (newName) => void span.updateName(newName),
        set: (more) => void span.setAttributes(more),
        fail: (errorType) => fail(span, errorType),
      };
      try {
        return await running.run(trace.setSpan(above, span), work, handle);
      } catch (error) {
        if (isFault(error)) fail(span, error instanceof Error ? error.name : typeof error);
        throw error;
      } finally {
        span.end();
      }
    },
    leaf(name, attributes) {
      const above = open();
      if (!above) return null;
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, above.context);
      return {
        end(errorType) {
          if (errorType !== undefined) fail(span, errorType);
          span.end();
        },
      };
    },
    current() {
      const { traceId, spanId, traceFlags } = open()?.span.spanContext() ?? {};
      return traceFlags && traceFlags & TraceFlags.SAMPLED ? `00-${traceId}-${spanId}-01` : null;
    },
    outside: (work) => running.exit(work),
  };
}
