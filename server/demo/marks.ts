import { createHash } from "node:crypto";
import type { Database } from "@/server/db/client";
import { type ApplicationKey, castApplications } from "@/server/demo/cast/applications";
import type { Id, IdPrefix } from "@/server/domain/ids";

/** What the demo's ids of its own begin with. */
const MARK = "almanac-demo-";
/** The client ID of one of the demo's applications. Everything else that it makes belongs to them, or has an id of `markedId`. */
export const clientIdOf = (key: ApplicationKey) => `${MARK}${key}`;
/** Those of all of them. */
export const clientIds = castApplications.map(({ key }) => clientIdOf(key));
/** What the ids of its requests begin with: those of callers whom nobody knows belong to no application. */
export const REQUEST_IDS = MARK;

const HEX_DIGITS = 24;

/** The id of something that belongs to no application: always the same for a name, so that it is found again and nothing else is. */
export function markedId<P extends IdPrefix>(prefix: P, name: string): Id<P> {
  const digest = createHash("sha256").update(`${MARK}${name}`).digest("hex");
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
  return await prisma.application.findMany({ select, where: { clientId: { in: clientIds } } });
}
