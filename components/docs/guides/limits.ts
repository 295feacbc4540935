import type { Guide } from "@/components/docs/guide";
import { introductionPart } from "@/components/docs/introduction";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** Rates, sizes and lifetimes ("Limits"). */
export function limitsGuide(document: OpenApiDocument): Guide {
  return {
    name: "Limits",
    path: "/docs/limits",
    title: "Limits",
    lead: "The same limits apply to every application. Most never reach them.",
    sections: [
      {
        id: "rates",
        title: "Rate limits",
        blocks: [
          introductionPart(document, "Limits"),
          { list: "rates" },
          "Rejected requests don't count. Spread work across accounts instead of sending many parallel requests for one.",
        ],
      },
      {
        id: "lifetimes",
        title: "Lifetimes",
        blocks: [
          [
            "| What | Lifetime |",
            "|---|---|",
            "| Access token | 3 hours |",
            "| Refresh token | until the connection is revoked; it never changes |",
            "| Authorization code | 10 minutes, single use |",
            "| Link token | 5 minutes, single use |",
            "| Webhook response timeout | 5 seconds |",
            "| Webhook delivery | 10 attempts within 48 hours |",
            "| Deliveries in the dashboard | 30 days |",
            "| Requests in the dashboard | 30 days (7 days on the Developer plan) |",
          ].join("\n"),
        ],
      },
      {
        id: "reads",
        title: "Reads",
        blocks: [
          [
            "| What | Limit |",
            "|---|---|",
            "| Window | 42 days back to 201 days ahead |",
            "| Events per page | 300 |",
            "| Free/busy periods per page | 1,000 |",
            "| `calendar_ids[]` | 100 ids |",
          ].join("\n"),
        ],
      },
      {
        id: "sizes",
        title: "Field sizes",
        blocks: [
          "Sizes are in characters, not bytes. An event can have up to 100 guests, and an account up to 100 open channels. Larger request bodies get a 413: the limit is 16 MiB for events and 64 KiB for everything else.",
          { list: "sizes" },
        ],
      },
    ],
  };
}
