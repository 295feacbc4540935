import { environmentNote, type Guide, recorded, step } from "@/components/docs/guide";
import { limits } from "@/server/http/limits";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** What the API calls things, and how they belong together. */
export function conceptsGuide(document: OpenApiDocument): Guide {
  return {
    name: "Concepts",
    path: "/docs/concepts",
    title: "Concepts",
    lead: "An application has accounts. An account has profiles, a profile has calendars, and a calendar has events. A token belongs to one account.",
    sections: [
      {
        id: "overview",
        title: "How it fits together",
        blocks: [
          [
            "| Term | What it is | Id |",
            "|---|---|---|",
            "| Application | Your product. It has a client id, secrets and redirect URIs. | `client_id` |",
            "| Account | One of your users. Tokens, channels and rate limits belong to it. | `acc_…`, `apc_…` |",
            "| Profile | A calendar account at a provider, which the user connected. | `pro_…` |",
            "| Calendar | A calendar of a profile. | `cal_…` |",
            "| Event | What a calendar has, whoever created it. | `evt_…` |",
            "| Managed event | An event that your application created. | your `event_id` |",
            "| Channel | A callback URL that is notified when calendars change. | `chn_…` |",
          ].join("\n"),
        ],
      },
      {
        id: "account",
        title: "Account",
        blocks: [
          "An account is created when a user first connects a calendar. Store its `sub` with your user, and its tokens as secrets. Two applications never share an account: each sees only what was connected to it.",
          environmentNote,
          step({
            name: "Get the account",
            request: { method: "GET", url: "{API}/v1/account", token: true },
            response: recorded(document, "showAccount", "connected"),
          }),
          "An **application calendar** is an account without a user or a provider: Almanac hosts its one calendar. Use it for rooms, for tests, and in the [sandbox](/docs/sandbox).",
        ],
      },
      {
        id: "profile",
        title: "Profile",
        blocks: [
          "A user can connect several calendar accounts, such as one for work and one at home. Each is a profile of the same account. To add one, pass a [link token](/docs/authentication#link) to the connect page.",
          "If a provider ends the connection, `profile_connected` becomes `false` and your channels receive `profile_disconnected`. Reads keep returning what was known. Ask the user to [reconnect](/docs/authentication#reconnect).",
          "After a user connects, Almanac reads the calendars for the first time. Until that is complete, `profile_initial_sync_required` is `true` and reads can be incomplete. Your channels receive `profile_initial_sync_completed` when it ends.",
        ],
      },
      {
        id: "calendar",
        title: "Calendar",
        blocks: [
          "`GET /v1/calendars` lists the calendars of all profiles. You can write to a calendar unless `calendar_readonly` is `true`. A calendar that was deleted at the provider stays listed, with `calendar_deleted`.",
          step({
            name: "List the calendars",
            request: { method: "GET", url: "{API}/v1/calendars", token: true },
            response: recorded(document, "listCalendars", "calendars"),
          }),
        ],
      },
      {
        id: "managed",
        title: "Managed event",
        blocks: [
          "An event is managed if your application created it. You choose its `event_id`, unique within the calendar, and need no mapping of ids: to update or delete the event, send the same `event_id` again.",
          "Reads omit managed events by default, because your application knows them already. Pass `include_managed=true` to include them or `only_managed=true` to get nothing else. Events of other people have an `event_uid` and no `event_id`: you can read them, but not write them.",
          "If a user moves or deletes a managed event in their calendar, you receive a `change` and read the new state. Almanac doesn't put the event back.",
        ],
      },
      {
        id: "window",
        title: "What can be read",
        blocks: [
          `Reads reach from ${limits.daysBack} ago to ${limits.daysAhead} ahead. Writes can be at any time. A series has an entry for each occurrence within the window.`,
        ],
      },
    ],
  };
}
