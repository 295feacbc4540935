import type { Example } from "@/server/http/openapi/examples/example";

const callback_url = "https://app.acme.io/mailboxes";

/** Mailboxes that an organization opens. */
export const organizationExamples: readonly Example[] = [
  {
    operation: "authorizeByServiceAccount",
    name: "user",
    summary: "A user",
    as: "application",
    body: { email: "grace@acme.io", callback_url, state: "grace-41" },
    status: 202,
  },
  {
    operation: "authorizeByServiceAccount",
    name: "several",
    summary: "Several mailboxes at once",
    as: "application",
    body: {
      service_account_authorizations: [
        { email: "grace@acme.io", callback_url, state: "grace-41" },
        { email: "berlin@acme.io", callback_url },
      ],
    },
    status: 202,
  },
  {
    operation: "authorizeByServiceAccount",
    name: "mistakes",
    isMistake: true,
    summary: "All errors of a body at once",
    as: "application",
    body: { email: "grace", callback_url: "https://localhost/mailboxes" },
    status: 422,
  },
  {
    operation: "listResources",
    name: "rooms",
    summary: "The rooms of an organization",
    as: "application",
    status: 200,
  },
];
