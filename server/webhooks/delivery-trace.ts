import type { Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import type { Tracing } from "@/server/tracing";
import type { Claimed } from "@/server/webhooks/claim";
import { traceOfPending } from "@/server/webhooks/delivery-trace.sql";
import type { SignalRow } from "@/server/webhooks/fan-out.sql";
import type { Outcome } from "@/server/webhooks/outcomes";

/** Of changes that came together, so many are told. */
const MOST_CAUSES = 8;

/** The spans in which the signals were written, for the delivery that they cause. Nothing where nobody traced them. */
export function traceOf(causes: readonly SignalRow[]): { trace?: string } {
  const spans = causes.flatMap(({ payload }) => (typeof payload.trace === "string" ? [payload.trace] : []));
  return spans.length === 0 ? {} : { trace: [...new Set(spans)].slice(0, MOST_CAUSES).join(" ") };
}

/** An attempt as a span of the trace of the change that caused the delivery; other changes that came with it are linked. Whose URL it goes to is not told: the delivery's id leads there. */
export async function tracedAttempt(
  trace: Tracing,
  { db, claimed }: { db: Database; claimed: Claimed },
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
