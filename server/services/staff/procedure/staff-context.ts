import type { Database } from "@/server/db/client";

export type Role = "admin" | "support";

/** A member of staff with a session that has not ended. */
export interface SignedIn {
  id: string;
  email: string;
  name: string;
  role: Role;
  sessionId: string;
}

/** The context of the dashboard's procedures: pages, GraphQL resolvers and the tRPC route create one for each request. */
export interface StaffContext {
  db: Database;
  /** Milliseconds since 1970. */
  now: number;
  /** Null: nobody is signed in, and every procedure refuses. */
  operator: SignedIn | null;
  /** The socket's address, for the audit trail. */
  address: string | null;
  requestId: string;
}

export type OperatorContext = StaffContext & { operator: SignedIn };
