import { newToken } from "@/server/db/new-id";
import { CODE_LIFE_MS, PAGE_LIFE_MS } from "@/server/domain/grants";
import { type Connectable, providerTraits } from "@/server/domain/providers";
import { env } from "@/server/env";
import type { CalendarAccount } from "@/server/providers/connector";
import { connectorOf } from "@/server/providers/connectors";
import type { ConnectResult } from "@/server/services/connect/connect-account";
import { type EndedRequest, type ResumableRequest, resumeRequest } from "@/server/services/connect/open";
import { type CallbackProblem, signInByCallback } from "@/server/services/connect/sign-in";
import { connectSignedIn } from "@/server/services/connect/sign-in-and-connect";
import { signRequest } from "@/server/services/connect/signed-request";
import { connectProcedure } from "@/server/services/connect/trpc";
import { rawInput } from "@/server/services/input";
import { currentClient, findClient } from "@/server/store/applications/oauth-clients";
import { dropGrant } from "@/server/store/profiles/dropped-grants";
import { findSignIn, spendSignIn, storeSignIn } from "@/server/store/profiles/sign-ins";

export interface BeginSignIn {
  /** The request, as `open` and `resume` signed it. */
  signed: string;
  provider: Connectable;
}

/** Returns where to send the user to sign in at a provider that accepts no passwords. */
export const beginOAuthSignIn = connectProcedure
  .input(rawInput((raw) => raw as BeginSignIn))
  .mutation(async ({ ctx, input: { signed, provider } }): Promise<EndedRequest | { kind: "begun"; url: string }> => {
    const resumed = await resumeRequest(ctx, signed);
    if (resumed.kind !== "open") return resumed;
    const way = connectorOf(provider)?.signIn;
    if (way?.kind !== "oauth") throw new Error(`${provider} does not use OAuth`);
    const state = newToken();
    const { access } = resumed.request;
    const loginHint = resumed.reconnects?.name;
    const client = await currentClient(ctx.db.prisma, { applicationId: resumed.application.id, provider });
    const { url, secret } = (client ? way.as(client) : way).begin({
      redirectUri: callbackUri(provider),
      state,
      loginHint,
      access,
    });
    const underWay = { state, provider, signed, secret, ownClient: client?.id ?? null };
    await storeSignIn(ctx.db, { ...underWay, expiresAt: ctx.now + PAGE_LIFE_MS });
    return { kind: "begun", url };
  });

export interface ReturnedUser {
  /** The provider's path, the last part of the address that the user came back to. */
  path: string;
  query: URLSearchParams;
}

/** `signed`: the request signed again, for another try. */
export type FinishedSignIn = ResumableRequest & {
  signed: string;
  provider: Connectable;
  outcome: CallbackProblem | ConnectResult | { kind: "used" };
};

/**
 * Completes a sign-in when the user is back from the provider (GET /oauth/callback/{provider}), and issues the
 * authorization code. A state that was begun for another browser or another provider reaches no provider and stays
 * unused (RFC 9700 §4.4 and §4.7). A used one has no effect.
 */
export const finishOAuthSignIn = connectProcedure
  .input(rawInput((raw) => raw as ReturnedUser))
  .mutation(async ({ ctx, input: { path, query } }): Promise<EndedRequest | FinishedSignIn> => {
    const [state, ...more] = query.getAll("state");
    const begun = state && more.length === 0 ? await findSignIn(ctx.db, state) : null;
    if (!begun || providerTraits[begun.provider].path !== path) {
      return { kind: "unusable", reason: "sign_in", application: null };
    }
    const { provider, secret } = begun;
    const resumed = await resumeRequest(ctx, begun.signed);
    if (resumed.kind !== "open") return resumed;
    const signed = signRequest(resumed.request, ctx);
    const isFirst = await spendSignIn(ctx.db, state as string, ctx.now);
    if (!isFirst) return { ...resumed, provider, signed, outcome: { kind: "used" } };
    // A user who gets the error page may try again for as long as it is valid, and the application may then exchange the code.
    const drop = (account: CalendarAccount) =>
      dropGrant(ctx.db, { provider, account, afterMs: PAGE_LIFE_MS + CODE_LIFE_MS });
    const { access } = resumed.request;
    const callback = { redirectUri: callbackUri(provider), query, secret, access };
    const client = begun.ownClient === null ? null : await findClient(ctx.db.prisma, begun.ownClient);
    const outcome = await signInByCallback({ provider, client }, callback, drop);
    if (outcome.kind !== "signed_in") return { ...resumed, provider, signed, outcome };
    const connected = await connectSignedIn(ctx, { ...outcome, found: resumed, provider }).catch(async (error) => {
      await drop(outcome.account);
      throw error;
    });
    if (!("code" in connected)) await drop(outcome.account);
    return { ...resumed, provider, signed, outcome: connected };
  });

/** Returns the callback URI as it is registered with the provider. */
function callbackUri(provider: Connectable): string {
  return `${env().APP_URL}/oauth/callback/${providerTraits[provider].path}`;
}
