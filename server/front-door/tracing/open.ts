import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SpanExporter } from "@opentelemetry/sdk-trace-base";
import { context } from "@/server/context";
import type { Env } from "@/server/env";
import { spansOf } from "@/server/front-door/tracing/spans";
import { moduleOutage } from "@/server/log";

/**
 * Sends traces to OTEL_EXPORTER_OTLP_ENDPOINT from now on. Gives what sends the rest and ends it. Without that variable nothing is loaded
 * and nothing is traced. OTEL_* variables that are not Almanac's own are read by OpenTelemetry's packages.
 */
// Packages are imported here and not above: the bundle of the front door would load them at every start.
export async function openTracing(env: Env, root: string): Promise<() => Promise<void>> {
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return async () => {};
  const [api, core, sdk, resources, { OTLPTraceExporter }, manifest] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/core"),
    import("@opentelemetry/sdk-trace-base"),
    import("@opentelemetry/resources"),
    env.OTEL_EXPORTER_OTLP_PROTOCOL === "http/json"
      ? import("@opentelemetry/exporter-trace-otlp-http")
      : import("@opentelemetry/exporter-trace-otlp-proto"),
    readFile(join(root, "package.json"), "utf8"),
  ]);
  const { name, version } = JSON.parse(manifest) as { name: string; version: string };
  const own = resources.resourceFromAttributes({
    "service.name": name,
    "service.version": version,
    "service.instance.id": randomUUID(),
    "almanac.role": env.ALMANAC_ROLE,
  });
  const given = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new sdk.BasicTracerProvider({
    resource: own.merge(given),
    spanProcessors: [new sdk.BatchSpanProcessor(watched(new OTLPTraceExporter()))],
  });
  // Not registered as the global one: Next and Inngest would add spans of their own, with paths and events in them.
  context.tracing = spansOf(provider.getTracer(name, version), { api, core });
  return async () => {
    context.tracing = undefined;
    await provider.shutdown().catch(() => undefined);
  };
}

/** Says once when traces cannot be sent, and once when they can be again. Those of the time between are lost. */
function watched(exporter: SpanExporter): SpanExporter {
  const outage = moduleOutage("tracing", {
    down: "traces cannot be sent",
    up: "traces are sent again",
  });
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code === 0) outage.recovered();
        else outage.failed(result.error);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
