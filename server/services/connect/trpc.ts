import { initTRPC } from "@trpc/server";
import type { Database } from "@/server/db/client";

/** What the connect page brings to every procedure. */
export interface ConnectContext {
  db: Database;
  /** Milliseconds since 1970. */
  now: number;
  /** The cookie of the browser. A request that was signed for one browser is no other's. */
  browser: string;
}

const t = initTRPC.context<ConnectContext>().create();

export const connectRouter = t.router;
export const createConnectCaller = t.createCallerFactory;

/** A step of a user who connects a calendar account. Nobody is signed in: each step reads who asks from the request that it is given. */
export const connectProcedure = t.procedure;
