import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { mayReach } from "@/server/domain/delegations";
import { log } from "@/server/log";
import { ProviderError } from "@/server/providers/connector";
import { connectorOf } from "@/server/providers/connectors";
import type { Room } from "@/server/providers/organization";
import type { resourcesShape } from "@/server/services/organizations/shape";
import { applicationProcedure } from "@/server/services/trpc";
import { type Delegation, delegationsOf, keyOf } from "@/server/store/delegations/delegations";

type Resources = z.output<typeof resourcesShape>;
type Problem = Resources["problems"][number];

/**
 * Lists the rooms of the application's organizations, as their directories have them now (GET /v1/resources). An
 * organization that can't be asked is named among the problems.
 */
export const listResources = applicationProcedure.query(async ({ ctx }): Promise<Resources> => {
  const applicationId = ctx.client.id;
  const delegations = await delegationsOf(ctx.db, applicationId);
  const listed = await Promise.all(delegations.map(roomsOf));
  // Two organizations of an application may be one at their provider.
  const rooms = [...new Map(listed.flatMap(({ rooms }) => rooms.map((room) => [room.email, room]))).values()];
  const profiles = await ctx.db.prisma.profile.findMany({
    select: { name: true, accountId: true },
    where: { applicationId, delegationId: { not: null }, name: { in: rooms.map(({ email }) => email) } },
  });
  const subs = new Map(profiles.map(({ name, accountId }) => [name, accountId]));
  return {
    resources: rooms
      .toSorted((one, other) => one.name.localeCompare(other.name) || one.email.localeCompare(other.email))
      .map((room) => ({ ...room, sub: subs.get(room.email) ?? null })),
    problems: listed.flatMap(({ problem }) => problem ?? []),
  };
});

/** How long a caller waits for a directory. */
const PATIENCE_MS = 20_000;

async function roomsOf(delegation: Delegation): Promise<{ rooms: Room[]; problem: Problem | null }> {
  const { id, provider, domains } = delegation;
  const [domain = ""] = domains;
  try {
    const organization = connectorOf(provider)?.organization;
    const late = sleep(PATIENCE_MS, null, { ref: false });
    const all = organization ? await Promise.race([organization.rooms(keyOf(delegation)), late]) : null;
    if (all === null) return { rooms: [], problem: { domain, reason: "provider_unavailable" } };
    return { rooms: all.filter(({ email }) => mayReach(delegation, provider, email)), problem: null };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log({ module: "organizations" }).info({ delegationId: id, fault: error.message }, "rooms could not be listed");
    const isRefused = error.fault.kind === "credentials_rejected" || error.fault.kind === "refused";
    const reason = isRefused ? ("delegation_refused" as const) : ("provider_unavailable" as const);
    return { rooms: [], problem: { domain, reason } };
  }
}
