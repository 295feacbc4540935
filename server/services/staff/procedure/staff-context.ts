import type { Database } from "@/server/db/client";

/** A developer sees only the applications that they are a member of (ADR 65). */
export type Role = "admin" | "support" | "developer";

/** An operator with an open session. */
export interface SignedInOperator {
  id: string;
  email: string;
  name: string;
  role: Role;
  sessionId: string;
  /** The ids of a developer's applications, as of this request. Null: all of them, for staff. */
  applications: readonly string[] | null;
}

/** The context of the dashboard's procedures: pages, GraphQL resolvers and the tRPC route create one for each request. */
export interface StaffContext {
  db: Database;
  /** Milliseconds since 1970. */
  now: number;
  /** Null: nobody is signed in, and every procedure refuses. */
  operator: SignedInOperator | null;
  /** The socket's address, for the audit trail. */
  address: string | null;
  requestId: string;
  /** Throws `throttled` when the operator has called too often. Omitted: calls are counted elsewhere. */
  admitCall?: (() => Promise<void>) | undefined;
}

export type OperatorContext = StaffContext & { operator: SignedInOperator };
