import { createHash } from "node:crypto";
import type { Database } from "@/server/db/client";
import type { Id, IdPrefix } from "@/server/domain/ids";

/** What the client IDs of the demo's applications begin with. Everything else that it makes belongs to them, or has an id of `markedId`. */
export const CLIENT_IDS = "almanac-demo-";
/** What the ids of its requests begin with: those of callers whom nobody knows belong to no application. */
export const REQUEST_IDS = "almanac-demo-";

const HEX_DIGITS = 24;

/** The id of something that belongs to no application: always the same for a name, so that it is found again and nothing else is. */
export function markedId<P extends IdPrefix>(prefix: P, name: string): Id<P> {
  const digest = createHash("sha256").update(`${CLIENT_IDS}${name}`).digest("hex");
  return `${prefix}_${digest.slice(0, HEX_DIGITS)}` as Id<P>;
}

export interface DemoRow {
  id: string;
  clientId: string;
  name: string;
  disabledAt: Date | null;
  deletedAt: Date | null;
}

/** The demo's applications that there are. */
export async function demoApplications({ prisma }: Database): Promise<DemoRow[]> {
  const select = { id: true, clientId: true, name: true, disabledAt: true, deletedAt: true };
  return await prisma.application.findMany({ select, where: { clientId: { startsWith: CLIENT_IDS } } });
}
