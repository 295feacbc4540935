import { createHash } from "node:crypto";
import type { Database } from "@/server/db/client";
import { type ApplicationKey, castApplications } from "@/server/demo/cast/applications";
import type { Id, IdPrefix } from "@/server/domain/ids";

/** The prefix of the demo's own ids. */
const MARK = "almanac-demo-";
/**
 * Returns the client ID of a demo application. Everything else that the demo creates belongs to these applications, or
 * has an id from `markedId`.
 */
export const clientIdOf = (key: ApplicationKey) => `${MARK}${key}`;
/** The client IDs of all demo applications. */
export const clientIds = castApplications.map(({ key }) => clientIdOf(key));
/** The prefix of the demo's request ids. Requests of unknown callers belong to no application and are found by it. */
export const REQUEST_IDS = MARK;

const HEX_DIGITS = 24;

/**
 * Returns the id of something that belongs to no application: always the same for a name, so that exactly that can be
 * found again.
 */
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

/** Loads the demo's applications that exist. */
export async function demoApplications({ prisma }: Database): Promise<DemoRow[]> {
  const select = { id: true, clientId: true, name: true, disabledAt: true, deletedAt: true };
  return await prisma.application.findMany({ select, where: { clientId: { in: clientIds } } });
}
