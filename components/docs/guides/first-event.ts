import { accepted, code, type Guide, recorded, step } from "@/components/docs/guide";
import { inWords } from "@/components/docs/in-words";
import { findOperation } from "@/components/docs/operations";
import { firstPage, responded } from "@/components/docs/quickstart-responses";
import { limits } from "@/server/http/limits";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

type Section = Guide["sections"][number];

/** An event of one's own: written, read and deleted. */
export function eventSection(document: OpenApiDocument): Section {
  return {
    id: "event",
    title: "Create an event",
    blocks: [
      "You choose the `event_id`. The response is an empty 202, and the event appears in reads immediately. To update the event, send the same `event_id` again: the new version replaces the old one.",
      step({
        name: "Create an event today",
        request: {
          method: "POST",
          url: "{API}/v1/calendars/{CALENDAR}/events",
          token: true,
          json: {
            event_id: "lunch-1",
            summary: "Lunch",
            tzid: "Europe/Berlin",
            start: "{DAY}T11:30:00Z",
            end: "{DAY}T12:30:00Z",
            location: { description: "The canteen" },
          },
          showsStatus: true,
          piece: { result: "created" },
        },
        response: accepted,
      }),
      "The same request can add [guests](/docs/guests), [recurrence](/docs/recurrence) and [meeting links](/docs/meeting-links).",
      "By default, reads omit events your application created. Pass `include_managed=true` to include them. If the response has a `pages.next_page`, request that URL for the next page.",
      step({
        name: "List events",
        request: {
          method: "GET",
          url: "{API}/v1/events",
          query: [
            ["tzid", "Europe/Berlin"],
            ["include_managed", "true"],
          ],
          token: true,
          piece: { result: "events" },
        },
        response: firstPage(document, "events"),
      }),
      step({
        name: "List free/busy periods",
        request: {
          method: "GET",
          url: "{API}/v1/free_busy",
          query: [
            ["tzid", "Europe/Berlin"],
            ["include_managed", "true"],
          ],
          token: true,
          piece: { result: "busy" },
        },
        response: firstPage(document, "free_busy"),
      }),
      "You can safely retry writes and deletions: deleting an event that doesn't exist also returns 202.",
      step({
        name: "Delete the event",
        request: {
          method: "DELETE",
          url: "{API}/v1/calendars/{CALENDAR}/events",
          token: true,
          json: { event_id: "lunch-1" },
          showsStatus: true,
          piece: { result: "deleted" },
        },
        response: accepted,
      }),
    ],
  };
}

export function errorSection(): Section {
  return {
    id: "error",
    title: "See an error",
    blocks: [
      "A 422 lists every error by field, each with a `key` to match on. Nothing is written. This event has no summary and ends on a date that doesn't exist.",
      step({
        name: "Send an invalid event",
        request: {
          method: "POST",
          url: "{API}/v1/calendars/{CALENDAR}/events",
          token: true,
          json: { event_id: "lunch-2", start: "{DAY}T11:30:00Z", end: "2026-02-30" },
          isError: true,
          piece: { result: "refused" },
        },
        response: responded(422, {
          errors: {
            summary: [{ key: "errors.required", description: "summary is required" }],
            end: [{ key: "errors.invalid", description: "end is invalid: this date doesn't exist" }],
          },
        }),
      }),
      "[Errors](/docs/errors) explains every key and how to fix it. Log the `Svc-Request-Id` header of each response: your Almanac administrator can look up the request with it.",
    ],
  };
}

export function connectSection(document: OpenApiDocument): Section {
  const providers = document["x-providers"].map(({ title }) => title);
  const pages = findOperation(document, "authorize")?.server ?? document.servers[0]?.url ?? "";
  return {
    id: "connect",
    title: "Connect a user's calendar",
    blocks: [
      `${connectable(providers)} Send the user's browser to the connect page with a redirect URI that is registered for your application.`,
      code("text", "The link to the connect page", [
        `${pages}/oauth/authorize?response_type=code&client_id=your-client-id&redirect_uri=https://app.acme.io/callback&state=b1946ac9`,
      ]),
      `The user signs in and returns to your \`redirect_uri\` with \`code\` and your \`state\`, or with \`error\`. Exchange the code within ${limits.code}. It works once.`,
      step({
        name: "Exchange the code",
        request: {
          method: "POST",
          url: "{API}/oauth/token",
          form: {
            client_id: "{CLIENT_ID}",
            client_secret: "{CLIENT_SECRET}",
            grant_type: "authorization_code",
            code: "the-code-from-the-redirect",
            redirect_uri: "https://app.acme.io/callback",
          },
          isError: true,
          piece: { result: "exchanged" },
        },
        response: recorded(document, "createToken", "code"),
      }),
      "From here on, everything works as above, whatever the provider; [a few things differ](/docs/providers). [Authentication](/docs/authentication) explains refreshing, reconnecting and revoking.",
    ],
  };
}

export function nextSection(): Section {
  return {
    id: "next",
    title: "Next steps",
    blocks: [
      "- [Concepts](/docs/concepts): accounts, profiles, calendars and managed events\n- [Webhooks](/docs/webhooks): both signatures, retries, and rotating secrets\n- [Sandbox](/docs/sandbox): every change and every fault that your application has to survive\n- [Going live](/docs/going-live): what to check before your first user connects\n- [API reference](/docs/reference): every endpoint with its fields and examples, also as an OpenAPI 3.1 document at [/openapi.json](/openapi.json)",
    ],
  };
}

/** Only providers that this service has: nobody builds on one that is yet to come. */
function connectable(providers: readonly string[]): string {
  if (providers.length === 0)
    return "No calendar provider is set up on this service yet: ask your Almanac administrator.";
  return `Users can connect their ${inWords(providers, "and")} calendars.`;
}
