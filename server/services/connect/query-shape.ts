import { z } from "zod";
import { connectable, type Vocabulary } from "@/server/domain/wire-names";
import { wireNames } from "@/server/services/answer-fields";
import type { parameters } from "@/server/services/connect/request";

type Parameter = (typeof parameters)[number];

/** The query of GET /oauth/authorize, as callers are told; readConnectRequest reads it, each of its refusals in its own way. */
export function authorizeQuery(names: Vocabulary) {
  return z.object({
    response_type: z.literal("code"),
    client_id: z.string(),
    redirect_uri: z.string().meta({ format: "uri", description: "Exactly as it is registered." }),
    scope: z.string().default("read_write").describe("Names with spaces between them."),
    state: z.string().optional().describe("Comes back unchanged."),
    provider_name: wireNames(names, connectable).optional().describe("Skips the choice of a provider."),
    link_token: z
      .string()
      .optional()
      .describe("From POST /v1/link_tokens: the calendar account that is connected joins that account."),
    code_challenge: z
      .string()
      .regex(/^[\w-]{43}$/)
      .optional()
      .describe("RFC 7636: the exchange of the code then needs its `code_verifier`."),
    code_challenge_method: z.literal("S256").optional(),
    locale: z.string().optional().describe("The page's language, such as `de`."),
  } satisfies Record<Parameter, z.ZodType>);
}
