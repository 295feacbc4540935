import { db } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";

type RunRow = Prisma.BackgroundRunCreateManyInput;

/** Runs of the service's own jobs, made when they were due. */
export async function addRuns(runs: readonly Omit<RunRow, "appId" | "event" | "createdAt">[]): Promise<void> {
  const data = runs.map((run) => ({ appId: "almanac", event: "", createdAt: run.dueAt, ...run }));
  await db().prisma.backgroundRun.createMany({ data });
}

/** The runs of an app, or of all, the oldest first. */
export async function storedRuns(appId?: string) {
  return await db().prisma.backgroundRun.findMany({ where: { appId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
}
