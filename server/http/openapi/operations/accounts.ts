import type { Operation } from "@/server/http/openapi/operation";

export const accounts: readonly Operation[] = [
  {
    id: "showAccount",
    method: "get",
    path: "/v1/account",
    tag: "Accounts",
    summary: "Get account",
    description: "Returns the account behind the access token.",
    credential: "bearer",
    answers: {
      200: { description: "The account.", schema: ["AccountResponse"] },
      403: {
        description: "Compatibility mode only: not available for application calendars. The body is plain text.",
        type: "text/plain",
      },
    },
  },
  {
    id: "showUserinfo",
    method: "get",
    path: "/v1/userinfo",
    tag: "Accounts",
    summary: "Get userinfo",
    description:
      "Returns the account, its authorization, and every connected profile with its calendars. An application calendar has `application_calendar_id` instead of `email`. In compatibility mode, two keys have a different prefix.",
    credential: "bearer",
    answers: { 200: { description: "The account.", schema: ["Userinfo", "CompatibilityUserinfo"] } },
  },
  {
    id: "listProfiles",
    method: "get",
    path: "/v1/profiles",
    tag: "Accounts",
    summary: "List profiles",
    description: "Returns every connected calendar account (profile) with its calendars.",
    credential: "bearer",
    answers: { 200: { description: "The profiles, oldest first.", schema: ["ProfilesResponse"] } },
  },
  {
    id: "listCalendars",
    method: "get",
    path: "/v1/calendars",
    tag: "Accounts",
    summary: "List calendars",
    description:
      "Returns every calendar of the account and the profile it belongs to. An application calendar's account has one writable calendar.",
    credential: "bearer",
    answers: { 200: { description: "The calendars.", schema: ["CalendarsResponse"] } },
  },
];
