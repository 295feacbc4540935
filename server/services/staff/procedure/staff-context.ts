import type { Database } from "@/server/db/client";

/** A developer sees the applications that they are a member of, and nothing else (ADR 65). */
export type Role = "admin" | "support" | "developer";

/** Somebody with a session that has not ended. */
export interface SignedIn {
  id: string;
  email: string;
  name: string;
  role: Role;
  sessionId: string;
  /** The ids of a developer's applications, as they are at this request. Null: all of them, for staff. */
  applications: readonly string[] | null;
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
  /** Throws `throttled` where the operator has called too much lately. Omitted: what calls is counted elsewhere. */
  admitCall?: (() => Promise<void>) | undefined;
}

export type OperatorContext = StaffContext & { operator: SignedIn };
