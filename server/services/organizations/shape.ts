import { z } from "zod";
import { MAX_AUTHORIZATIONS } from "@/server/domain/delegations";
import { MAX_OAUTH_FIELD, MAX_REDIRECT_URI } from "@/server/domain/text-limits";
import { list } from "@/server/services/availability/fields";
import { callbackUrl } from "@/server/services/channels/open";
import { componentRef } from "@/server/services/docs-as";
import { email } from "@/server/services/events/write/guests-field";
import { sparse, text } from "@/server/services/fields";

/** Builds what asks for one mailbox; `callbackOrigins` are accepted whatever rule their addresses break. */
export function authorizationEntry(callbackOrigins: readonly string[]) {
  return sparse({
    email: email.describe("The email address of a user or room of an organization that your administrator has added."),
    callback_url: callbackUrl(callbackOrigins, MAX_REDIRECT_URI).describe(
      "Where the result is sent. Pass it as `redirect_uri` when you exchange the code.",
    ),
    state: text({ max: MAX_OAUTH_FIELD }).describe("Returned with the result.").optional(),
  });
}

/** Builds the body with several mailboxes. */
export function authorizationList(callbackOrigins: readonly string[]) {
  return z.object({
    service_account_authorizations: list(authorizationEntry(callbackOrigins), {
      most: MAX_AUTHORIZATIONS,
      items: componentRef("ServiceAccountAuthorization"),
    }).describe("Several mailboxes at once."),
  });
}

/** A room of an organization. */
export const resourceShape = z.object({
  email: z.string().describe("Pass it to `POST /v1/service_account_authorizations`."),
  name: z.string(),
  capacity: z.int().nullable().describe("How many people fit in. `null`: unknown."),
  building: z.string().nullable(),
  sub: z
    .string()
    .nullable()
    .describe("The account through which your application books the room. `null`: not authorized yet."),
});

/** The response of GET /v1/resources. */
export const resourcesShape = z.object({
  resources: z.array(resourceShape),
  problems: z
    .array(
      z.object({
        domain: z.string().describe("The first domain of the organization."),
        reason: z.enum(["delegation_refused", "provider_unavailable"]),
      }),
    )
    .describe("Organizations whose rooms could not be listed."),
});
