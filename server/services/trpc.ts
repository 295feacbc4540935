import { initTRPC } from "@trpc/server";
import type { Database } from "@/server/db/client";
import type { AccountId } from "@/server/domain/ids";
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
  /** Whether the sandbox is on, and whether this request wants its write refused later, or held. */
  sandbox: { isOn: boolean; refusesWrites: boolean; holdsWrites: boolean };
  /** The account of the access token; null on endpoints with client credentials or none. */
  bearer: Bearer | null;
  /** The application of client credentials in the Authorization header, where an endpoint accepts them beside tokens. */
  client: Client | null;
  /** Limits for callers that authenticate in the body (ADR 90). */
  limits: ClientLimits;
  /** How many seconds those who write are to wait, while the service only reads for maintenance. Null or omitted: it isn't. */
  readOnlyFor?: number | null;
}

/** Each throws a `throttled` refusal when the limit is reached. */
export interface ClientLimits {
  /** Counts a try before a secret is checked. */
  beforeSecret(clientId: string): void | Promise<void>;
  rightSecret(clientId: string): void;
  wrongSecret(clientId: string): void | Promise<void>;
  application(application: Client): void | Promise<void>;
  /** Counts a request of a public client, which anybody could have sent in its name. */
  publicClient(application: Client): void | Promise<void>;
  /** Counts a client that registers itself. */
  registration(): void | Promise<void>;
}

/** An application that showed its credentials. */
export interface Client {
  id: string;
  plan: "developer" | "standard";
  compatibilityMode: boolean;
}

const t = initTRPC.context<Context>().meta<ProcedureMeta>().create();

interface ProcedureMeta {
  /** It is a mutation for its body's sake alone, and stores nothing. */
  onlyReads?: true;
}

/** Throws `maintenance` for what writes while the service only reads (ADR 126). */
export function refuseWrites({ readOnlyFor }: Pick<Context, "readOnlyFor">): void {
  if (readOnlyFor) throw new Refusal({ kind: "maintenance", scope: "service", retryAfter: readOnlyFor });
}

interface Called {
  ctx: Context;
  type: "query" | "mutation" | "subscription";
  meta: ProcedureMeta | undefined;
}

function refuseMutations({ ctx, type, meta }: Called): void {
  if (type === "mutation" && !meta?.onlyReads) refuseWrites(ctx);
}

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** A procedure that anybody may call; it authenticates its caller itself, if at all, and refuses writes itself. */
export const openProcedure = t.procedure;

/**
 * A procedure on behalf of an account. Data that is missing may have gone with the account after its token was looked
 * up: then it throws signed_out.
 */
export const accountProcedure = t.procedure.use(async ({ ctx, type, meta, next }) => {
  const { bearer } = ctx;
  if (!bearer) {
    throw new Refusal({ kind: "signed_out", error: "invalid_request", description: "An access token is required" });
  }
  refuseMutations({ ctx, type, meta });
  const result = await next({ ctx: { ...ctx, bearer } });
  if (!result.ok && isNotFound(result.error.cause)) await refuseRevoked(ctx.db, bearer.accountId);
  return result;
});

/** Who asks: an application for any of its accounts, or one account for itself. */
export interface Asking {
  applicationId: string;
  /** Null: the application itself, which may name any of its accounts. */
  accountId: AccountId | null;
}

/** A procedure for an application or one of its accounts. */
export const eitherProcedure = t.procedure.use(({ ctx, type, meta, next }) => {
  const { bearer, client } = ctx;
  if (bearer || client) refuseMutations({ ctx, type, meta });
  if (bearer) return next({ ctx: { ...ctx, asking: bearer as Asking } });
  if (client) return next({ ctx: { ...ctx, asking: { applicationId: client.id, accountId: null } as Asking } });
  throw new Refusal({ kind: "wrong_credentials" });
});

/** A procedure for an application alone. */
export const applicationProcedure = t.procedure.use(({ ctx, type, meta, next }) => {
  const { client } = ctx;
  if (!client) throw new Refusal({ kind: "wrong_credentials" });
  refuseMutations({ ctx, type, meta });
  return next({ ctx: { ...ctx, client } });
});

function isNotFound(error: unknown): boolean {
  const kind = reasonOf(error)?.kind;
  return kind === "not_found" || kind === "unknown_channel";
}

/** The context of account procedures. */
export type AccountContext = Context & { bearer: Bearer };
