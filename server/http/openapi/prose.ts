import { errorKeys } from "@/server/http/openapi/error-keys";

/** The document's introduction, in Markdown. */
export function introduction(): string {
  return [
    "One API over the calendars of several providers: connect a person's calendar account, read free/busy periods and events in one shape, write events, and be told of changes.",
    "## Conventions",
    "Bodies are JSON; `/oauth/token`, `/oauth/token/revoke` and `/v1/application_calendars` also take forms. Query booleans are `true`, `false`, `1` or `0`. Repeated parameters have brackets: `calendar_ids[]=a&calendar_ids[]=b`. Times have seconds and an offset or `Z`; ids are opaque but for their prefix. Answers may get new fields: ignore those you do not know.",
    "Every answer carries `Svc-Request-Id`. One that you send (8 to 64 letters, digits, dots, dashes, underscores) comes back unchanged.",
    "## Authentication",
    "`/oauth/token`, `/oauth/token/revoke` and `/v1/application_calendars` take the application's client id and secret in the body. Every other endpoint under `/v1` takes an access token: `Authorization: Bearer …`. It lasts 3 hours. On 401 refresh it and try once more; when the refresh answers `invalid_grant`, the person has to connect again.",
    "## Limits",
    "An application may send 600 requests at once and 100 a second, each access token's account 150 at once and 25 a second; a request needs room in both. `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` tell of the tighter one. Over it: 429 with `Retry-After`.",
    "## Errors",
    "| Status | Body | When |\n|---|---|---|\n| 400 | JSON `error`, `error_description` | the OAuth endpoints, wrong client credentials too |\n| 401 | empty | the token is missing, expired or revoked; `WWW-Authenticate` says which |\n| 403 | empty | the calendar is read-only |\n| 404 | empty, but for channels | the account does not have it |\n| 413 | empty | the body is too large |\n| 422 | JSON `errors` | the request is invalid, and nothing was written |\n| 429 | empty | too many requests: wait `Retry-After` seconds |\n| 5xx | empty | try again, waiting longer each time |",
    "A 422 holds every mistake that was found, by field: `{ errors: { <field>: [{ key, description }] } }`. Nested fields are written `location.description`, entries of lists `calendar_ids[0]`, and what is wrong with the whole body `base`. Match on `key`. The body is looked at first, the calendar second.",
    keyTable(),
    "## Compatibility mode",
    "An application in this mode gets the answers of another vendor's calendar API: userinfo has other keys for `svc.type` and `svc.data`; `/v1/account` refuses application calendars with 403 and a sentence; channels have no `signing_secret`, and notifications no `Svc-Signature`; descriptions of mistakes are worded otherwise, and `errors.tzid_unrecognized` and `errors.invalid_time_pair` take the place of `errors.required` or `errors.invalid` on time zones and of `errors.invalid` on an end before its start; opening an application calendar again gives the tokens it has while they are valid.",
  ].join("\n\n");
}

function keyTable(): string {
  const rows = Object.entries(errorKeys).map(([key, means]) => `| \`${key}\` | ${means} |`);
  return ["| Key | Meaning |", "|---|---|", ...rows].join("\n");
}
