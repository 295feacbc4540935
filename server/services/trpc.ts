import { initTRPC } from "@trpc/server";
import type { Database } from "@/server/db/client";
import type { Vocabulary } from "@/server/domain/wire-names";
import { refuseRevoked } from "@/server/services/living-account";
import { Refusal, reasonOf } from "@/server/services/refusal";
import type { Bearer } from "@/server/store/grants/bearer.sql";

/** A caller's context for every procedure. Adapters create one for each request; tests create their own. */
export interface Context {
  db: Database;
  /** In milliseconds since 1970. */
  now: number;
  names: Vocabulary;
  baseUrl: string;
  /** Exact origins that callback URLs may have even if another rule forbids them. */
  callbackOrigins: readonly string[];
  /** Whether the sandbox is on, and whether this request wants its write refused later. */
  sandbox: { isOn: boolean; refusesWrites: boolean };
  /** The account of the access token; null on endpoints with client credentials or none. */
  bearer: Bearer | null;
  /** Limits for callers that authenticate in the body (ADR 90). */
  limits: ClientLimits;
}

/** Each throws a `throttled` refusal when the limit is reached. */
export interface ClientLimits {
  /** Counts a try before a secret is checked. */
  beforeSecret(clientId: string): void | Promise<void>;
  rightSecret(clientId: string): void;
  wrongSecret(clientId: string): void | Promise<void>;
  application(application: {
    id: string;
    plan: "developer" | "standard";
    compatibilityMode: boolean;
  }): void | Promise<void>;
}

const t = initTRPC.context<Context>().create();

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** A procedure that anybody may call; it authenticates its caller itself, if at all. */
export const openProcedure = t.procedure;

/**
 * A procedure on behalf of an account. Data that is missing may have gone with the account after its token was looked
 * up: then it throws signed_out.
 */
export const accountProcedure = t.procedure.use(async ({ ctx, next }) => {
  const { bearer } = ctx;
  if (!bearer) {
    throw new Refusal({ kind: "signed_out", error: "invalid_request", description: "An access token is required" });
  }
  const result = await next({ ctx: { ...ctx, bearer } });
  if (!result.ok && isNotFound(result.error.cause)) await refuseRevoked(ctx.db, bearer.accountId);
  return result;
});

function isNotFound(error: unknown): boolean {
  const kind = reasonOf(error)?.kind;
  return kind === "not_found" || kind === "unknown_channel";
}

/** The context of account procedures. */
export type AccountContext = Context & { bearer: Bearer };
