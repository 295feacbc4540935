import type { Database } from "@/server/db/client";
import { audit, type Doer } from "@/server/services/staff/audit";

/** Notes that an operator took a list away as a file, and which part of it. */
export async function noteExport(
  ctx: Doer & { db: Database },
  { list, filters }: { list: "deliveries" | "requests"; filters: Record<string, unknown> },
): Promise<void> {
  await audit(ctx.db.query, ctx, { action: `${list}.exported`, object: list, detail: filters });
}
