import { initTRPC } from "@trpc/server";
import type { Database } from "@/server/db/client";

/** The context of every procedure of the connect page. */
export interface ConnectContext {
  db: Database;
  /** In milliseconds since 1970. */
  now: number;
  /** The browser's cookie. A request that was signed for one browser is invalid in any other. */
  browser: string;
}

const t = initTRPC.context<ConnectContext>().create();

export const connectRouter = t.router;
export const createConnectCaller = t.createCallerFactory;

/**
 * A step of a user who connects a calendar account. Nobody is signed in: each step identifies the caller by the signed
 * request in its input.
 */
export const connectProcedure = t.procedure;
