import type { Connectable } from "@/server/domain/providers";
import { type Connected, connectCalendarAccount } from "@/server/services/connect/connect-account";
import { type EndedRequest, type ResumableRequest, resumeRequest } from "@/server/services/connect/resume";
import { type PasswordProblem, type SignedInAccount, signInByPassword } from "@/server/services/connect/sign-in";
import { type ConnectContext, connectProcedure } from "@/server/services/connect/trpc";
import { rawInput } from "@/server/services/input";

export interface SignInInput {
  /** The request, as `open` and `resume` signed it. */
  signed: string;
  provider: Connectable;
  /** The id of a CalDAV server of the application. Omitted: the account is at another provider. */
  server?: string;
  username: string;
  password: string;
}

export type ConnectOutcome = EndedRequest | PasswordProblem | Connected;

/**
 * POST /oauth/authorize, the form of a provider: signs in at the provider, and issues the authorization code. Whoever sends a request
 * that was not signed for this browser reaches no provider.
 */
export const signInAndConnect = connectProcedure
  .input(rawInput((raw) => raw as SignInInput))
  .mutation(async ({ ctx, input }): Promise<ConnectOutcome> => {
    const { signed, provider, server: id, ...login } = input;
    const found = await resumeRequest(ctx, signed);
    if (found.kind !== "open") return found;
    const { application } = found;
    const server = application.servers.find((one) => one.id === id)?.url;
    if (id !== undefined && server === undefined) return { kind: "unusable", reason: "form", application };
    const outcome = await signInByPassword(provider, { ...login, server });
    return outcome.kind === "signed_in" ? connectSignedIn(ctx, { ...outcome, found, provider }) : outcome;
  });

/** Issues the authorization code for an account whose owner has signed in. */
export function connectSignedIn(
  { db, now }: ConnectContext,
  { found, provider, account, calendars }: SignedInAccount & { found: ResumableRequest; provider: Connectable },
): Promise<Connected> {
  const { application, request } = found;
  return connectCalendarAccount(db, { applicationId: application.id, request, provider, account, calendars, now });
}
