import type { EndpointError } from "@/server/http/error-keys";
import { limits } from "@/server/http/limits";
import { AUTHORIZATIONS_BODY } from "@/server/http/read-body";
import type { Route } from "@/server/http/routes/route";

const errors: EndpointError[] = [
  { key: "errors.invalid_json", field: "base", when: "the body is not a JSON object" },
  { key: "errors.required", field: "email, callback_url", when: "missing" },
  { key: "errors.invalid_type", field: "any", when: "the wrong JSON type" },
  { key: "errors.invalid_email", field: "email", when: "not a valid email address" },
  { key: "errors.invalid_callback_url", field: "callback_url", when: "not an https URL" },
  {
    key: "errors.invalid_callback_url_blocked",
    field: "callback_url",
    when: "not a public host, another port than 443, or with credentials",
  },
  { key: "errors.invalid", field: "state", when: "contains a character that cannot be stored" },
  { key: "errors.too_small", field: "service_account_authorizations", when: "empty" },
  {
    key: "errors.too_big",
    field: "any",
    when: `over ${limits.authorizations} entries; over ${limits.email}, ${limits.redirectUri} or ${limits.oauthField} characters`,
  },
];

export const authorizeByServiceAccount: Route = {
  id: "authorizeByServiceAccount",
  method: "post",
  path: "/v1/service_account_authorizations",
  tag: "Connecting",
  summary: "Authorize a mailbox of an organization",
  description: `Connects a user or a room of an organization that your administrator has added to your application, without asking the user. Accepts your application's credentials, as HTTP Basic or the secret alone as Bearer. Responds immediately; the result is sent to \`callback_url\` as \`{"authorization": {"code", "state"}}\`, or \`{"authorization": {"error", "error_description", "state"}}\`, signed and retried like webhooks. Exchange the code with \`callback_url\` as the \`redirect_uri\`. A user who has connected before keeps their account. Send up to ${limits.authorizations} mailboxes at once as \`service_account_authorizations\`.`,
  credential: "either",
  body: { schema: "ServiceAccountAuthorizationsRequest", limit: AUTHORIZATIONS_BODY },
  responses: {
    202: { description: "The result will be sent to the callback URL." },
    401: { description: "Unknown client id or wrong client secret, or an access token instead of them." },
  },
  errors,
  call: (api, { body }) => api.organizations.authorize(body),
};

export const listResources: Route = {
  id: "listResources",
  method: "get",
  path: "/v1/resources",
  tag: "Connecting",
  summary: "List rooms",
  description:
    "Returns the rooms of the organizations that your administrator has added to your application, as their directories list them now. Accepts your application's credentials. Authorize a room with its email to book it and to find when it is free.",
  credential: "either",
  responses: {
    200: { description: "The rooms, by name.", schema: ["ResourcesResponse"] },
    401: { description: "Unknown client id or wrong client secret, or an access token instead of them." },
  },
  call: (api) => api.organizations.resources(),
};
