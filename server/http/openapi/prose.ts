import { compatDifferences } from "@/server/domain/compat";
import { errorKeys } from "@/server/http/error-keys";
import { limits } from "@/server/http/limits";
import { listed, type OfferedProvider, reach } from "@/server/http/openapi/providers";
import type { Wording } from "@/server/http/openapi/wording";
import { operations } from "@/server/http/routes/all";
import type { Operation } from "@/server/http/routes/route";
import { SLOWEST_MS } from "@/server/http/sandbox-fault";
import { MOST_SLEEPERS } from "@/server/http/sleepers";

export const SANDBOX_OFF =
  "**The sandbox is off on this service**: its requests get a 404, and the header has no effect.";

/** Writes the document's introduction, in Markdown. It names the providers that can be connected, and no others. */
export function introduction(providers: readonly OfferedProvider[], { names, isSandboxOff }: Wording): string {
  return [
    `One API over ${reach(providers)}: connect a user's calendar account, read free/busy periods and events in one format, write events, and receive webhooks when calendars change.`,
    "## Conventions",
    `Bodies are JSON. ${paths(({ body }) => body?.form)} also accept forms. Query booleans are \`true\`, \`false\`, \`1\` or \`0\`. Repeated parameters use brackets: \`calendar_ids[]=a&calendar_ids[]=b\`. Times have an offset or \`Z\`. Reads are compressed if you accept \`gzip\` or \`br\`, and request bodies may be compressed with \`gzip\` or \`deflate\`. Ids are opaque strings with a prefix. Responses may gain new fields: ignore the ones you don't know.`,
    "Every response has a `Svc-Request-Id` header. If you send your own (8 to 64 letters, digits, dots, dashes or underscores), it is returned unchanged.",
    "## Authentication",
    `${paths(({ credential }) => credential === "client")} accept your client id and client secret in the body, or as HTTP Basic (\`Authorization: Basic …\`). On ${paths(({ credential }) => credential === "either")}, send these as HTTP Basic, your client secret alone as a bearer token, or an access token. All other \`/v1\` routes require an access token in the \`Authorization: Bearer …\` header. Access tokens are valid for ${limits.accessToken}. On a 401, refresh the token and retry once. If the refresh fails with \`invalid_grant\`, the user must reconnect.`,
    "## Limits",
    `Each application can send bursts of ${limits.applicationBurst} requests and ${limits.applicationPerSecond} requests per second sustained; each account, bursts of ${limits.accountBurst} and ${limits.accountPerSecond} per second. Every request counts against both limits. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` describe the tighter one. Over the limit, you get a 429 with \`Retry-After\`.`,
    "## Errors",
    "| Status | Body | When |\n|---|---|---|\n| 400 | JSON with `error` and `error_description` | OAuth endpoints, including wrong client credentials |\n| 401 | empty | the token is missing, expired or revoked; see `WWW-Authenticate` |\n| 403 | empty; for an event by its uid, and in the sandbox, JSON with `error` and `description` | the calendar is read-only; your application may not change the event; in the sandbox: the account has a provider |\n| 404 | empty; for channels, and for a path that does not exist, JSON with `error` and `description` | the calendar, event, channel, trigger or booking doesn't exist, or the API doesn't have this path |\n| 409 | JSON with `conflicts` and `problems`, or with `error` and `description` | the time of a booking is not free, or it can no longer be confirmed; nothing was written |\n| 412 | JSON: the current event | the event has changed since you read it; nothing was written |\n| 413 | empty | the body is too large |\n| 415 | empty | the body's `Content-Encoding` is not one of those in `Accept-Encoding` |\n| 422 | JSON with `errors` | the request is invalid; nothing was written |\n| 429 | empty | too many requests; wait `Retry-After` seconds |\n| 503 | empty; in maintenance JSON with `error` and `description`; for bookings also JSON with `error` and `sub` | Almanac is in maintenance or busy right now, or a provider can't be reached; wait `Retry-After` seconds |\n| other 5xx | empty | internal error; wait 1 second, then double the wait each time |",
    "A 422 lists every error by field: `{ errors: { <field>: [{ key, description }] } }`. Nested fields are written `location.description`, array items `calendar_ids[0]`, and errors of the whole body `base`. Match on `key`, not on `description`. The body is validated before the calendar is checked.",
    keyTable(),
    "## Sandbox",
    `Application calendars work without a provider. \`POST /v1/sandbox/changes\` simulates other people's changes in them. Any request with the access token of one can simulate an error with the header \`Svc-Sandbox-Fault\`: \`rate_limited\` gets a 429, \`unavailable\` a 503, \`slow=3000\` waits that many milliseconds (up to ${SLOWEST_MS.toLocaleString("en")}; an account can have ${MOST_SLEEPERS.account} such requests at once, and the next gets a 429), \`write_refused\` accepts a write of an event and then restores the event, as when a provider rejects it later, and \`write_pending\` leaves its receipt \`pending\`. The response repeats the header. ${isSandboxOff ? SANDBOX_OFF : "A service can switch the sandbox off."}`,
    "## Compatibility mode",
    names === "product"
      ? "Applications in this mode get Cronofy-compatible responses."
      : "Applications in this mode get responses for SDKs that were written for an existing calendar API.",
    Object.values(compatDifferences)
      .flat()
      .map((sentence) => `- ${sentence}`)
      .join("\n"),
  ].join("\n\n");
}

function paths(which: (operation: Operation) => boolean | undefined): string {
  return listed([...new Set(operations.filter(which).map(({ path }) => `\`${path}\``))]);
}

function keyTable(): string {
  const rows = Object.entries(errorKeys).map(([key, means]) => `| \`${key}\` | ${means} |`);
  return ["| Key | Meaning |", "|---|---|", ...rows].join("\n");
}
