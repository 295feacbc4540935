import type { Route } from "@/server/http/routes/route";

export const showAccount: Route = {
  id: "showAccount",
  method: "get",
  path: "/v1/account",
  tag: "Accounts",
  summary: "Get account",
  description: "Returns the account behind the access token.",
  credential: "bearer",
  responses: {
    200: { description: "The account.", schema: ["AccountResponse"] },
    403: {
      description: "Compatibility mode only: not available for application calendars. The body is plain text.",
      type: "text/plain",
    },
  },
  call: (api) => api.account(),
};

export const showUserinfo: Route = {
  id: "showUserinfo",
  method: "get",
  path: "/v1/userinfo",
  tag: "Accounts",
  summary: "Get userinfo",
  description:
    "Returns the account, its authorization, and every connected profile with its calendars. An application calendar has `application_calendar_id` instead of `email`. In compatibility mode, two keys have a different prefix.",
  credential: "bearer",
  responses: { 200: { description: "The account.", schema: ["Userinfo", "CompatibilityUserinfo"] } },
  call: (api) => api.userinfo(),
};

export const listProfiles: Route = {
  id: "listProfiles",
  method: "get",
  path: "/v1/profiles",
  tag: "Accounts",
  summary: "List profiles",
  description: "Returns every connected calendar account (profile) with its calendars.",
  credential: "bearer",
  responses: { 200: { description: "The profiles, oldest first.", schema: ["ProfilesResponse"] } },
  call: (api) => api.profiles(),
};

export const listCalendars: Route = {
  id: "listCalendars",
  method: "get",
  path: "/v1/calendars",
  tag: "Accounts",
  summary: "List calendars",
  description:
    "Returns every calendar of the account and the profile it belongs to. An application calendar's account has one writable calendar.",
  credential: "bearer",
  responses: { 200: { description: "The calendars.", schema: ["CalendarsResponse"] } },
  call: (api) => api.calendars(),
};

export const showProfileStatus: Route = {
  id: "showProfileStatus",
  method: "get",
  path: "/v1/profiles/{profile_id}/status",
  tag: "Accounts",
  summary: "Get a profile's status",
  description:
    "Returns whether the calendar account is connected and read in time, why not, and what its provider doesn't have yet. An application calendar is always connected, unless the sandbox has changed that.",
  credential: "bearer",
  params: { profile_id: "The id of the profile." },
  responses: {
    200: { description: "The status.", schema: ["ProfileStatus"] },
    404: { description: "The account has no profile with this id." },
  },
  call: (api, { params }) => api.profileStatus(params),
};
