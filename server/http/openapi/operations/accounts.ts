import type { Operation } from "@/server/http/openapi/operations/operation";

export const accounts: readonly Operation[] = [
  {
    id: "showAccount",
    method: "get",
    path: "/v1/account",
    tag: "Accounts",
    summary: "Show the account",
    description: "The account that the access token stands for.",
    credential: "bearer",
    answers: {
      200: { description: "The account.", schema: ["AccountResponse"] },
      403: {
        description: "Compatibility mode only: not available for application calendars, as a sentence.",
        type: "text/plain",
      },
    },
  },
  {
    id: "showUserinfo",
    method: "get",
    path: "/v1/userinfo",
    tag: "Accounts",
    summary: "Show the account with everything it has",
    description:
      "The account, its authorization, and every connected profile with its calendars. An application calendar has its `application_calendar_id` in place of `email`. In compatibility mode the prefix of two keys is another one.",
    credential: "bearer",
    answers: { 200: { description: "The account.", schema: ["Userinfo", "CompatibilityUserinfo"] } },
  },
  {
    id: "listProfiles",
    method: "get",
    path: "/v1/profiles",
    tag: "Accounts",
    summary: "List the connected calendar accounts",
    description: "Every profile of the account with its calendars.",
    credential: "bearer",
    answers: { 200: { description: "The profiles, the oldest first.", schema: ["ProfilesResponse"] } },
  },
  {
    id: "listCalendars",
    method: "get",
    path: "/v1/calendars",
    tag: "Accounts",
    summary: "List the calendars",
    description:
      "Every calendar of the account with the profile that it belongs to. An application calendar's account has one, which can be written.",
    credential: "bearer",
    answers: { 200: { description: "The calendars.", schema: ["CalendarsResponse"] } },
  },
];
