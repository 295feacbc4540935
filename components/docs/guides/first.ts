import { type Guide, shell } from "@/components/docs/guide";
import { findOperation } from "@/components/docs/operations";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

const BEARER = `-H "Authorization: Bearer $TOKEN"`;
const JSON_BODY = `-H "Content-Type: application/json"`;

/** From a client id and secret to a calendar, an event, a read, a mistake and a channel: every line runs as it stands. */
export function firstGuide(document: OpenApiDocument): Guide {
  const api = document.servers[0]?.url ?? "";
  const pages = findOperation(document, "authorize")?.server ?? api;
  return {
    name: "Five minutes",
    path: "/docs",
    title: "Your first five minutes",
    lead: "One API over Google, Microsoft 365, Outlook.com and iCloud calendars, and calendars that Almanac hosts itself. This page takes you from a client id and secret to a calendar with an event in it, with nothing but a shell and curl.",
    sections: [
      {
        id: "before",
        title: "Before you start",
        blocks: [
          "Whoever runs Almanac registers your application, on the dashboard or with `BOOTSTRAP_APPLICATIONS`, and gives you its client id and secret. On your own machine source `.data/demo.env`, which the first start wrote, in place of the last two lines.",
          shell("Your application", `API=${api}`, "CLIENT_ID=your-client-id", "CLIENT_SECRET=your-client-secret"),
        ],
      },
      {
        id: "calendar",
        title: "Open a calendar",
        blocks: [
          "An application calendar is hosted by Almanac and needs nobody's sign-in. Name it as you like: the same name opens the same calendar again. The answer holds an access token for 3 hours and a refresh token that stays.",
          shell(
            "Open a calendar and keep its token",
            "TOKEN=$(curl -s $API/v1/application_calendars \\",
            `  -d client_id="$CLIENT_ID" -d client_secret="$CLIENT_SECRET" \\`,
            "  -d application_calendar_id=my-first |",
            `  sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')`,
          ),
          "Everything else is asked with that token. Which calendar is it?",
          shell(
            "Find the calendar",
            `CALENDAR=$(curl -s $API/v1/calendars ${BEARER} |`,
            `  sed -n 's/.*"calendar_id":"\\([^"]*\\)".*/\\1/p')`,
            "echo $CALENDAR",
          ),
        ],
      },
      {
        id: "event",
        title: "Write an event",
        blocks: [
          "You name the event with `event_id`. The answer is an empty 202, and every read shows the event from then on. Send it again, changed, and it takes the place of what it was: there is no update to tell from a creation.",
          shell(
            "Write an event for today",
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
          "Guests, repetition and meeting links are fields of the same body: see [Create or replace an event](/docs/reference/writeEvent).",
        ],
      },
      {
        id: "read",
        title: "Read it back",
        blocks: [
          "Reads leave out what your application wrote, because you know it already; `include_managed` asks for it all the same. Follow `pages.next_page` until there is none.",
          shell(
            "Events, and the time that they take",
            `curl -s "$API/v1/events?tzid=Europe/Berlin&include_managed=true" ${BEARER}`,
            `curl -s "$API/v1/free_busy?tzid=Europe/Berlin&include_managed=true" ${BEARER}`,
          ),
        ],
      },
      {
        id: "mistake",
        title: "Make a mistake",
        blocks: [
          "A 422 names every mistake at once, by field, each with a `key` to match on; nothing was written. This event has no summary and ends on a day that no calendar has.",
          shell(
            "An event that cannot be",
            `curl -s $API/v1/calendars/$CALENDAR/events ${BEARER} \\`,
            `  ${JSON_BODY} -d '{ "event_id": "lunch-2", "start": "'$DAY'T11:30:00Z", "end": "2026-02-30" }'`,
          ),
          "[Errors](/docs/errors) lists every key, where it comes from and what to do. Keep the `Svc-Request-Id` of an answer that surprises you: whoever runs Almanac finds the request by it.",
        ],
      },
      {
        id: "channel",
        title: "Be told of changes",
        blocks: [
          "A channel has Almanac post to an https address of yours when somebody other than you changes a calendar. Keep the `signing_secret` of the answer: it is told only here.",
          shell(
            "Open a channel",
            `curl -s $API/v1/channels ${BEARER} \\`,
            `  ${JSON_BODY} -d '{ "callback_url": "https://app.acme.io/calendar-changes" }'`,
          ),
          "[Webhooks](/docs/webhooks) has the code that verifies what arrives, and how to try it on your own machine.",
        ],
      },
      {
        id: "connect",
        title: "Connect a person's calendar",
        blocks: [
          "Send the person's browser to the connect page with a redirect URI that is registered for your application. They choose Google, Microsoft 365, Outlook.com or iCloud, sign in there, and come back to you.",
          shell(
            "Where to send the browser",
            `echo "${pages}/oauth/authorize?response_type=code&client_id=$CLIENT_ID&redirect_uri=https://app.acme.io/callback&state=b1946ac9"`,
          ),
          "They come back to `redirect_uri` with `code` and your `state`, or with `error`. Exchange the code within 10 minutes; it works once.",
          shell(
            "Exchange the code",
            "curl -s $API/oauth/token \\",
            `  -d client_id="$CLIENT_ID" -d client_secret="$CLIENT_SECRET" \\`,
            "  -d grant_type=authorization_code -d code=$CODE \\",
            "  -d redirect_uri=https://app.acme.io/callback",
          ),
          "From here on it is as above: the same reads and writes, whatever the provider. On a 401 get a new access token with `grant_type=refresh_token` and try once more; when that answers `invalid_grant`, the person has to connect again.",
          "A second calendar account of the same person joins the first with a [link token](/docs/reference/createLinkToken). When they leave, [end the connection](/docs/reference/revokeToken): tokens, credentials and stored events are removed.",
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
          "Deleting what is not there answers 202 too, so it can be repeated. Every endpoint with its fields and examples is in the [reference](/docs/reference); the same as an OpenAPI 3.1 document is at [/openapi.json](/openapi.json).",
        ],
      },
    ],
  };
}
