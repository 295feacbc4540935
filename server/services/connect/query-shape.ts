import { z } from "zod";
import { lessAccess } from "@/server/domain/access";
import { KNOWN_SCOPES, SCOPE } from "@/server/domain/grants";
import { connectableTokens, type Vocabulary } from "@/server/domain/wire-names";
import type { parameters } from "@/server/services/connect/request";
import { wireNames } from "@/server/services/response-fields";

type Parameter = (typeof parameters)[number];

/**
 * Builds the documented query of GET /oauth/authorize; `offered` are the providers that can be connected.
 * readConnectRequest reads the query.
 */
export function authorizeQuery(names: Vocabulary, offered: readonly string[]) {
  return z.object({
    response_type: z.literal("code"),
    client_id: z.string(),
    redirect_uri: z.string().meta({
      format: "uri",
      description:
        "Must match a registered redirect URI exactly. A public client may use any port of the user's own machine.",
    }),
    scope: z
      .string()
      .default(SCOPE)
      .describe(
        `Space-separated scopes out of ${KNOWN_SCOPES.map((name) => `\`${name}\``).join(", ")}. Whichever you name, \`${SCOPE}\` is granted.`,
      ),
    state: z.string().optional().describe("Returned unchanged. Check it before you exchange the code."),
    provider_name: wireNames(names, connectableTokens)
      .optional()
      .describe(`Skips the provider chooser. ${availability(offered)}`),
    caldav_server: z
      .string()
      .optional()
      .describe(
        "Skips the provider chooser for a CalDAV server that your application offers: its ID, as in the dashboard.",
      ),
    link_token: z
      .string()
      .optional()
      .describe(
        "From POST /v1/link_tokens. The page names that account, and the calendar account joins it when you exchange the code.",
      ),
    access: z
      .enum(lessAccess)
      .optional()
      .describe(
        "Asks for less: `read` lets you read events but not write, `free_busy` only lets you see when the user is busy. Omitted: full access, which also lifts an earlier restriction.",
      ),
    code_challenge: z
      .string()
      .regex(/^[\w-]{43}$/)
      .optional()
      .describe(
        "PKCE (RFC 7636). The token request must then include the matching `code_verifier`. Required of a public client.",
      ),
    code_challenge_method: z.literal("S256").optional(),
    locale: z.string().optional().describe("Language of the page, such as `de`."),
  } satisfies Record<Parameter, z.ZodType>);
}

function availability(offered: readonly string[]): string {
  if (offered.length === 0) return "This service has no provider set up yet.";
  return `Available on this service: ${offered.map((name) => `\`${name}\``).join(", ")}.`;
}
