import { z } from "zod";
import { MAX_REGISTERED_URIS } from "@/server/domain/limits";
import { registrationErrors } from "@/server/domain/oauth-errors";
import { MAX_APPLICATION_NAME } from "@/server/domain/text-limits";
import { nameOf, refused, sparse } from "@/server/services/fields";
import { redirectUri } from "@/server/services/redirect-uri";

/** What every registered client is granted, whatever else it asked for (RFC 7591 §3.2.1). */
export const GRANTED = {
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
} as const;

/** The body of POST /oauth/register: client metadata (RFC 7591 §2). What is not listed is ignored. */
export const registrationBody = sparse({
  redirect_uris: z
    .array(redirectUri)
    .min(1)
    .max(MAX_REGISTERED_URIS)
    .describe("https, or http on localhost, 127.0.0.1 or [::1], where any port is accepted later."),
  client_name: nameOf({ max: MAX_APPLICATION_NAME })
    .describe("Shown to users on the connect page. Default: the host of the first redirect URI.")
    .optional(),
  token_endpoint_auth_method: z
    .literal(GRANTED.token_endpoint_auth_method)
    .describe("Registered clients are public: they have no secret.")
    .optional(),
  grant_types: listWith("authorization_code"),
  response_types: listWith("code"),
});

/** Clients list all that they know: what is not granted is not in the response. */
function listWith(value: string) {
  return z
    .array(z.string())
    .check(({ value: list, issues }) => {
      if (!list.includes(value)) issues.push(refused(list, { key: "errors.invalid" }, `must contain ${value}`));
    })
    .describe(`Must contain \`${value}\`.`)
    .optional();
}

/** The response of POST /oauth/register (RFC 7591 §3.2.1). */
export const registeredClientShape = z.object({
  client_id: z.string(),
  client_id_issued_at: z.int().describe("Seconds since 1970."),
  client_name: z.string(),
  redirect_uris: z.array(z.string()),
  token_endpoint_auth_method: z.literal(GRANTED.token_endpoint_auth_method),
  grant_types: z.array(z.enum(GRANTED.grant_types)),
  response_types: z.array(z.enum(GRANTED.response_types)),
});

export interface RegisteredClient {
  client_id: string;
  client_id_issued_at: number;
  client_name: string;
  redirect_uris: string[];
  token_endpoint_auth_method: (typeof GRANTED)["token_endpoint_auth_method"];
  grant_types: (typeof GRANTED)["grant_types"];
  response_types: (typeof GRANTED)["response_types"];
}

/** 400 of POST /oauth/register. */
export const registrationErrorShape = z.object({
  error: z.enum(registrationErrors),
  error_description: z.string(),
});
