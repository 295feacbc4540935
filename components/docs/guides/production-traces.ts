import { type Section, shell } from "@/components/docs/guide";

export const traces: Section = {
  id: "traces",
  title: "Traces",
  blocks: [
    "Set `OTEL_EXPORTER_OTLP_ENDPOINT` to send traces to an OpenTelemetry collector over HTTP, as protobuf or, with `OTEL_EXPORTER_OTLP_PROTOCOL=http/json`, as JSON. Without it, nothing is loaded.",
    shell(
      "For example",
      "OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318",
      "OTEL_SERVICE_NAME=almanac-production",
      "OTEL_TRACES_SAMPLER=traceidratio",
      "OTEL_TRACES_SAMPLER_ARG=0.05",
    ),
    [
      "| Span | What it is | Below |",
      "|---|---|---|",
      "| `GET /v1/events` | a request, with its `almanac.request_id`, route and status code. Health checks have none | the caller's span, if the request has a `traceparent` header |",
      "| `listEvents` | the operation, by its name in the API reference | the request |",
      "| `POST webhook` | an attempt of a delivery, with its `almanac.delivery_id` and status code | the request or sync that made the change. Further changes that it announces are linked |",
      "| `sync google`, `push google` | a sync of a calendar account, a write to a provider | nothing: each is a trace of its own |",
      "| `UPDATE events` | a statement, by its name or its operation and table | any of the above |",
    ].join("\n"),
    "Spans have no event text, tokens, addresses, paths or queries, and no values of statements. Look up the request or the delivery by its id in the dashboard. Receivers and providers get no trace headers.",
    "By default, every trace is sent, and a caller decides for its own requests. Use `traceidratio` if callers should not. If the collector is down or slow, requests and webhooks are not delayed, spans are dropped, and the log says so once. Spans that wait are sent at shutdown, for up to 3 seconds.",
  ],
};
