import { type Guide, shell } from "@/components/docs/guide";
import { inWords } from "@/components/docs/in-words";
import { findOperation } from "@/components/docs/operations";
import { limits } from "@/server/http/limits";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

const BEARER = `-H "Authorization: Bearer $TOKEN"`;
const JSON_BODY = `-H "Content-Type: application/json"`;
/** Without the first two flags a refused request, whose body is empty, would look like an empty success. */
const CURL = "curl -sS --fail-with-body";

/** From a client id and secret to a calendar, an event, a read, an error and a channel: every line runs as pasted. */
export function firstGuide(document: OpenApiDocument): Guide {
  const api = document.servers[0]?.url ?? "";
  const pages = findOperation(document, "authorize")?.server ?? api;
  const providers = document["x-providers"].map(({ title }) => title);
  return {
    name: "Quickstart",
    path: "/docs",
    title: "Quickstart",
    lead: `${document.info.summary} This guide takes you from a client id and secret to your first event. All you need is a shell and curl.`,
    sections: [
      {
        id: "before",
        title: "Before you start",
        blocks: [
          "Your Almanac administrator registers your application, in the dashboard or with `BOOTSTRAP_APPLICATIONS`, and gives you a client id and secret. If you run Almanac on your own machine, use the demo application: run `. .data/demo.env` instead of the last two lines.",
          shell("Your application", `API=${api}`, "CLIENT_ID=your-client-id", "CLIENT_SECRET=your-client-secret"),
        ],
      },
      {
        id: "calendar",
        title: "Open a calendar",
        blocks: [
          "An application calendar is hosted by Almanac, so nobody has to sign in. Choose any id: the same id always opens the same calendar. The response contains an access token (valid for 3 hours) and a long-lived refresh token.",
          shell(
            "Open a calendar and get a token",
            `TOKEN=$(${CURL} $API/v1/application_calendars \\`,
            `  -d client_id="$CLIENT_ID" -d client_secret="$CLIENT_SECRET" \\`,
            "  -d application_calendar_id=my-first |",
            `  sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')`,
            `echo "Token: \${TOKEN:?No access token. Check API, CLIENT_ID and CLIENT_SECRET.}"`,
          ),
          "All other requests use this token. Next, look up the calendar's id.",
          shell(
            "Get the calendar's id",
            `CALENDAR=$(${CURL} $API/v1/calendars ${BEARER} |`,
            `  sed -n 's/.*"calendar_id":"\\([^"]*\\)".*/\\1/p')`,
            `echo "\${CALENDAR:?No calendar. Check TOKEN.}"`,
          ),
        ],
      },
      {
        id: "event",
        title: "Create an event",
        blocks: [
          "You choose the `event_id`. The response is an empty 202, and the event appears in reads immediately. To update the event, send the same `event_id` again: the new version replaces the old one.",
          shell(
            "Create an event today",
            "DAY=$(date -u +%Y-%m-%d)",
            `curl -i $API/v1/calendars/$CALENDAR/events ${BEARER} \\`,
            `  ${JSON_BODY} -d '{`,
            `    "event_id": "lunch-1",`,
            `    "summary": "Lunch",`,
            `    "tzid": "Europe/Berlin",`,
            `    "start": "'$DAY'T11:30:00Z",`,
            `    "end": "'$DAY'T12:30:00Z",`,
            `    "location": { "description": "The canteen" }`,
            "  }'",
          ),
          "The same request can add guests, recurrence and meeting links: see [Create or replace an event](/docs/reference/writeEvent).",
        ],
      },
      {
        id: "read",
        title: "Read it back",
        blocks: [
          "By default, reads omit events your application created. Pass `include_managed=true` to include them. If the response has a `pages.next_page`, request that URL for the next page.",
          shell(
            "List events and free/busy periods",
            `${CURL} "$API/v1/events?tzid=Europe/Berlin&include_managed=true" ${BEARER}`,
            `${CURL} "$API/v1/free_busy?tzid=Europe/Berlin&include_managed=true" ${BEARER}`,
          ),
        ],
      },
      {
        id: "error",
        title: "See an error",
        blocks: [
          "A 422 lists every error by field, each with a `key` to match on. Nothing is written. This event has no summary and ends on a date that doesn't exist.",
          shell(
            "Send an invalid event",
            `curl -s $API/v1/calendars/$CALENDAR/events ${BEARER} \\`,
            `  ${JSON_BODY} -d '{ "event_id": "lunch-2", "start": "'$DAY'T11:30:00Z", "end": "2026-02-30" }'`,
          ),
          "[Errors](/docs/errors) explains every key and how to fix it. Log the `Svc-Request-Id` header of each response: your Almanac administrator can look up the request with it.",
        ],
      },
      {
        id: "channel",
        title: "Receive webhooks",
        blocks: [
          "Create a channel, and Almanac sends a POST request to your https URL whenever someone else changes a calendar. Store the `signing_secret` from the response: it is returned only once.",
          shell(
            "Create a channel",
            `${CURL} $API/v1/channels ${BEARER} \\`,
            `  ${JSON_BODY} -d '{ "callback_url": "https://app.acme.io/calendar-changes" }'`,
          ),
          "[Webhooks](/docs/webhooks) shows how to verify notifications and how to test them on your own machine.",
        ],
      },
      {
        id: "connect",
        title: "Connect a user's calendar",
        blocks: [
          `${connectable(providers)} Send the user's browser to the connect page with a redirect URI that is registered for your application.`,
          shell(
            "Build the link to the connect page",
            `echo "${pages}/oauth/authorize?response_type=code&client_id=$CLIENT_ID&redirect_uri=https://app.acme.io/callback&state=b1946ac9"`,
          ),
          `The user signs in and returns to your \`redirect_uri\` with \`code\` and your \`state\`, or with \`error\`. Exchange the code within ${limits.code}. It works once.`,
          shell(
            "Exchange the code",
            "curl -s $API/oauth/token \\",
            `  -d client_id="$CLIENT_ID" -d client_secret="$CLIENT_SECRET" \\`,
            "  -d grant_type=authorization_code -d code=$CODE \\",
            "  -d redirect_uri=https://app.acme.io/callback",
          ),
          "From here on, everything works as above, whatever the provider; [a few things differ](/docs/providers). On a 401, get a new access token with `grant_type=refresh_token` and retry once. If that fails with `invalid_grant`, the user must reconnect.",
          `OAuth libraries find the addresses by themselves: \`${pages}/.well-known/oauth-authorization-server\` lists them (RFC 8414).`,
          "To add a second calendar account to the same user, use a [link token](/docs/reference/createLinkToken). When a user leaves, [revoke the connection](/docs/reference/revokeToken): Almanac removes the tokens, credentials and stored events.",
        ],
      },
      {
        id: "clean-up",
        title: "Clean up",
        blocks: [
          shell(
            "Delete the event",
            `curl -i -X DELETE $API/v1/calendars/$CALENDAR/events ${BEARER} \\`,
            `  ${JSON_BODY} -d '{ "event_id": "lunch-1" }'`,
          ),
          "You can safely retry: deleting an event that doesn't exist also returns 202. The [API reference](/docs/reference) lists every endpoint with its fields and examples. It is also available as an OpenAPI 3.1 document at [/openapi.json](/openapi.json).",
        ],
      },
    ],
  };
}

/** Only providers that this service has: nobody builds on one that is yet to come. */
function connectable(providers: readonly string[]): string {
  if (providers.length === 0)
    return "No calendar provider is set up on this service yet: ask your Almanac administrator.";
  return `Users can connect their ${inWords(providers, "and")} calendars.`;
}
