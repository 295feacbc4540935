import type { Connectable } from "@/server/domain/providers";
import type { Credentials } from "@/server/providers/connector";
import { type Connected, connectCalendarAccount } from "@/server/services/connect/connect-account";
import { type EndedRequest, resumeRequest } from "@/server/services/connect/resume";
import { type SignInOutcome, signIn } from "@/server/services/connect/sign-in";
import { connectProcedure } from "@/server/services/connect/trpc";
import { rawInput } from "@/server/services/input";

export interface SignInInput extends Credentials {
  /** The request, as `open` and `resume` signed it. */
  signed: string;
  provider: Connectable;
}

export type ConnectOutcome = EndedRequest | Exclude<SignInOutcome, { kind: "signed_in" }> | Connected;

/**
 * POST /oauth/authorize, the form of a provider: signs in at the provider, and issues the authorization code. Whoever sends a request
 * that was not signed for this browser reaches no provider.
 */
export const signInAndConnect = connectProcedure
  .input(rawInput((raw) => raw as SignInInput))
  .mutation(async ({ ctx, input }): Promise<ConnectOutcome> => {
    const { signed, provider, ...credentials } = input;
    const found = await resumeRequest(ctx, signed);
    if (found.kind !== "open") return found;
    const signedIn = await signIn(provider, credentials);
    if (signedIn.kind !== "signed_in") return signedIn;
    const { account, calendars } = signedIn;
    const { application, request } = found;
    const connecting = { applicationId: application.id, request, provider, account, calendars, now: ctx.now };
    return await connectCalendarAccount(ctx.db, connecting);
  });
