import type { Guide } from "@/components/docs/guide";
import { introductionPart } from "@/components/docs/introduction";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** Rates, sizes and lifetimes ("Limits"). */
export function limitsGuide(document: OpenApiDocument): Guide {
  return {
    name: "Limits",
    path: "/docs/limits",
    title: "Limits",
    lead: "Rates and sizes are the same for every application, and wide enough that most never meet one.",
    sections: [
      {
        id: "rates",
        title: "Rates",
        blocks: [
          introductionPart(document, "Limits"),
          { list: "rates" },
          "A request that is refused takes no room. Spread work over accounts rather than asking for one account in parallel.",
        ],
      },
      {
        id: "lifetimes",
        title: "Lifetimes",
        blocks: [
          [
            "| What | Lasts |",
            "|---|---|",
            "| Access token | 3 hours |",
            "| Refresh token | until the connection ends; it never changes |",
            "| Authorization code | 10 minutes, one use |",
            "| Link token | 5 minutes, one use |",
            "| A webhook's answer | 5 seconds |",
            "| A delivery | 10 attempts, 48 hours at most |",
            "| Deliveries on the dashboard | 30 days |",
            "| Requests on the dashboard | 30 days; 7 days on the developer plan |",
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
            "| Events a page | 300 |",
            "| Free/busy periods a page | 1,000 |",
            "| `calendar_ids[]` | 100 |",
          ].join("\n"),
        ],
      },
      {
        id: "sizes",
        title: "Sizes",
        blocks: [
          "The largest that each field takes. Characters are counted, not bytes. An event's guests are 100 in all, and an account has up to 100 open channels. A whole body over its limit is a 413: 16 MiB for events, 64 KiB for everything else.",
          { list: "sizes" },
        ],
      },
    ],
  };
}
