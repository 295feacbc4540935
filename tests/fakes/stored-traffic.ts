import { db } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { processServices } from "@/server/http/process-services";

type Counts = Partial<Prisma.RequestCountCreateManyInput> & { minute: Date };

/** Requests that were counted by the minute alone, whatever the log holds of them. */
export async function addRequestCounts(counts: readonly Counts[]): Promise<void> {
  await db().prisma.requestCount.createMany({ data: counts.map((each) => ({ ...none, ...each })) });
}

export async function addHourlyCounts(hour: Date, applicationId: string, counts: Partial<typeof none>): Promise<void> {
  await db().prisma.requestCountByHour.create({ data: { ...none, hour, applicationId, ...counts } });
}

const none = { requests: 0, clientErrors: 0, serverErrors: 0, throttled: 0 };

/** What the log holds of requests, all of each as `text` too, once it has written what it has. */
export async function loggedRequests(of: string | { path: string } | { requestIds: string[] }) {
  if (!(await processServices().requestLog.flush(10_000))) throw new Error("the log was not written");
  const where = typeof of === "string" ? { requestId: of } : "path" in of ? of : { requestId: { in: of.requestIds } };
  const rows = await db().prisma.requestLog.findMany({ where, orderBy: [{ at: "asc" }, { id: "asc" }] });
  return rows.map(({ detail, eventKeys: _, ...row }) => ({
    ...row,
    ...partsOf(JSON.parse(detail)),
    text: JSON.stringify({ ...row, detail }),
  }));
}

function partsOf({ request_headers, request_body, response_headers, response_body }: Record<string, Prisma.JsonValue>) {
  const bodies = { requestBody: request_body ?? null, responseBody: response_body ?? null };
  return { requestHeaders: request_headers ?? null, responseHeaders: response_headers ?? null, ...bodies };
}

export async function setLoggedDuration(accountId: string, durationMs: number): Promise<void> {
  await db().prisma.requestLog.updateMany({ where: { accountId }, data: { durationMs } });
}
