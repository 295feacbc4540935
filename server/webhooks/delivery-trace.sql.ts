import { nullable, statement, text } from "@/server/db/statement";

/** Runs before each traced attempt, so it is planned for the queue alone. */
export const traceOfPending = statement<{ trace: string | null }>(
  "SELECT trace FROM deliveries WHERE id = $1 AND state = 'pending'",
  { trace: nullable(text) },
);
