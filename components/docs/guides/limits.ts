import type { Guide } from "@/components/docs/guide";
import { introductionPart } from "@/components/docs/introduction";
import { DELIVERIES_KEPT_DAYS, REQUESTS_KEPT_DAYS } from "@/server/domain/retention";
import { limits } from "@/server/http/limits";
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
            `| Access token | ${limits.accessToken} |`,
            "| Refresh token | until the connection is revoked; it never changes |",
            `| Authorization code | ${limits.code}, single use |`,
            `| Link token | ${limits.linkToken}, single use |`,
            `| Webhook response timeout | ${limits.response} |`,
            `| Webhook delivery | ${limits.attempts} attempts over ${limits.retried}, ${limits.delivery} at most |`,
            `| Deliveries in the dashboard | ${DELIVERIES_KEPT_DAYS} days |`,
            `| Requests in the dashboard | ${REQUESTS_KEPT_DAYS.standard} days (${REQUESTS_KEPT_DAYS.developer} days on the Developer plan) |`,
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
            `| Window | ${limits.daysBack} back to ${limits.daysAhead} ahead |`,
            `| Events per page | ${limits.eventsPage} |`,
            `| Free/busy periods per page | ${limits.freeBusyPage} |`,
            `| \`calendar_ids[]\` | ${limits.readCalendars} ids |`,
          ].join("\n"),
        ],
      },
      {
        id: "sizes",
        title: "Field sizes",
        blocks: [
          `Sizes are in characters, not bytes. An event can have up to ${limits.guests} guests, and an account up to ${limits.channels} open channels. Larger request bodies get a 413: the limit is ${limits.eventBody} for events and ${limits.smallBody} for everything else.`,
          { list: "sizes" },
        ],
      },
    ],
  };
}
