import { newId } from "@/server/db/new-id";
import { env } from "@/server/env";
import { inputOf, rawInput } from "@/server/services/input";
import { isRefusal, oauthRefusal, Refusal } from "@/server/services/refusal";
import { GRANTED, type RegisteredClient, registrationBody } from "@/server/services/registration/shape";
import { openProcedure, refuseWrites } from "@/server/services/trpc";
import { registerWithin } from "@/server/store/applications/register";

const readBody = inputOf(registrationBody);

/**
 * Registers a public client for whoever asks (POST /oauth/register, RFC 7591), as an application that nobody knows.
 * Throws not_found where clients may not register themselves, then invalid_redirect_uri and invalid_client_metadata.
 */
export const registerClient = openProcedure
  .input(rawInput((raw) => raw))
  .mutation(async ({ input, ctx }): Promise<RegisteredClient> => {
    if (env().CLIENT_REGISTRATION === "off") throw new Refusal({ kind: "not_found" });
    const { client_name, redirect_uris } = read(input);
    await ctx.limits.registration();
    refuseWrites(ctx);
    const redirectUris = [...new Set(redirect_uris)];
    const name = client_name ?? new URL(redirectUris[0] as string).host;
    const clientId = newId("app").replace("app_", "client_");
    const switches = { publicClient: true, selfRegistered: true, compatibilityMode: false };
    const application = { name, clientId, clientSecret: null, redirectUris, plan: "developer", ...switches } as const;
    await ctx.db.transaction((query, prisma) => registerWithin({ query, prisma }, application, ctx.now));
    return {
      ...{ client_id: clientId, client_id_issued_at: Math.floor(ctx.now / 1_000) },
      ...{ client_name: name, redirect_uris: redirectUris, ...GRANTED },
    };
  });

function read(raw: unknown) {
  try {
    return readBody(raw);
  } catch (error) {
    if (!isRefusal(error) || error.reason.kind !== "invalid") throw error;
    const { issues } = error.reason;
    const isUri = issues.some(({ path }) => path[0] === "redirect_uris");
    const description = issues.map(({ description }) => description).join("; ");
    throw oauthRefusal(isUri ? "invalid_redirect_uri" : "invalid_client_metadata", description);
  }
}
