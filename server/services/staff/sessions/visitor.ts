import type { Doer } from "@/server/services/staff/audit/audit";

/** Who is signing in, as far as the socket and the browser say. */
export interface Visitor extends Omit<Doer, "operator"> {
  /** Whether the operator with the email that is given has signed in from this address before. */
  isKnown: boolean;
  userAgent: string | null;
}
