import type { Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import type { Tracing } from "@/server/tracing";
import type { DeliveryClaim } from "@/server/webhooks/claim";
import { traceOfPending } from "@/server/webhooks/delivery-trace.sql";
import type { SignalRow } from "@/server/webhooks/fan-out.sql";
import type { Outcome } from "@/server/webhooks/outcomes";

/** The most causes named of changes that came together. */
const MOST_CAUSES = 8;

/**
 * Collects the spans in which the signals were written, for the delivery that they cause. Empty if nobody traced them.
 */
export function traceOf(causes: readonly SignalRow[]): { trace?: string } {
  const spans = causes.flatMap(({ payload }) => (typeof payload.trace === "string" ? [payload.trace] : []));
  return spans.length === 0 ? {} : { trace: [...new Set(spans)].slice(0, MOST_CAUSES).join(" ") };
}

/**
 * Traces an attempt as a span of the change that caused the delivery, with links to other changes that came with it.
 * The receiver's URL is omitted: the delivery's id leads to it.
 */
export async function tracedAttempt(
  trace: Tracing,
  { db, claimed }: { db: Database; claimed: DeliveryClaim },
  attempt: () => Promise<Outcome>,
): Promise<Outcome> {
  const { id, attempt: number } = claimed;
  const [found] = await run(db.query, traceOfPending, [id]).catch(() => []);
  const [parent = null, ...links] = found?.trace?.split(" ") ?? [];
  const attributes = { "http.request.method": "POST", "almanac.delivery_id": id, "almanac.attempt": number };
  return await trace.within({ name: "POST webhook", kind: "client", parent, links, attributes }, async (span) => {
    const outcome = await attempt();
    const { status, errorClass, verdict } = outcome;
    if (status !== null) span.set({ "http.response.status_code": status });
    if (verdict !== "delivered") span.fail(errorClass ?? String(status));
    return outcome;
  });
}
