import { z } from "zod";
import type { Query } from "@/server/db/client";
import { runComposed } from "@/server/db/composed";
import { wake } from "@/server/db/wake";
import type { AuditAction } from "@/server/domain/audit/actions";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { channelPage } from "@/server/services/staff/channels/channels.sql";
import type { Scope } from "@/server/services/staff/procedure/scope";
import type { OperatorContext } from "@/server/services/staff/procedure/staff-context";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { lockAccount } from "@/server/store/accounts/lock-account";
import { closeChannel as closeStoredChannel } from "@/server/store/channels/channels";
import {
  pauseChannel as pauseStoredChannel,
  resumeChannel as resumeStoredChannel,
} from "@/server/store/channels/pause";

const byId = staffInput(z.object({ id: text({ min: 1, max: 600 }) }));

/** Pauses a channel's deliveries until it is resumed (ADR 71). Throws not_found, and conflict for one that is paused or closed. */
export const pauseChannel = scopedProcedure.input(byId).mutation(({ ctx, input: { id } }) =>
  change(ctx, id, "channel.paused", async (query, { closedAt }) => {
    if (!(await pauseStoredChannel(query, id))) throw conflict(closedAt === null ? "already paused" : "closed");
  }),
);

/** Resumes a channel and sends what was held. Throws not_found, and conflict for one that is not paused. */
export const resumeChannel = scopedProcedure.input(byId).mutation(async ({ ctx, input: { id } }): Promise<void> => {
  await change(ctx, id, "channel.resumed", async (query, { closedAt }) => {
    if (!(await resumeStoredChannel(query, id))) throw conflict(closedAt === null ? "not paused" : "closed");
  });
  wake("deliver");
});

/** Closes a channel and cancels its deliveries, as DELETE /v1/channels/{channel_id} does. Throws not_found, and conflict for one that is closed. */
export const closeChannel = scopedProcedure.input(byId).mutation(({ ctx, input: { id } }) =>
  change(ctx, id, "channel.closed", async (query, { accountId }) => {
    await lockAccount(query, accountId);
    const closed = await closeStoredChannel(query, { accountId, id, by: "staff" });
    if (closed !== "closed") throw conflict("already closed");
  }),
);

type Channel = Awaited<ReturnType<typeof loadChannel>>;

/** Changes an existing channel and audits it, in one transaction. */
async function change(
  ctx: OperatorContext & { scope: Scope },
  id: string,
  action: AuditAction,
  store: (query: Query, channel: Channel) => Promise<void>,
): Promise<void> {
  await ctx.scope.expect("channel", id);
  await ctx.db.transaction(async (query, prisma) => {
    await store(query, await loadChannel(query, id));
    await audit(prisma, ctx, { action, object: id });
  });
}

async function loadChannel(query: Query, id: string) {
  const [channel] = await runComposed(query, channelPage, { id, limit: 1 });
  if (!channel) throw new Refusal({ kind: "not_found" });
  return channel;
}

function conflict(state: string): Refusal {
  return new Refusal({ kind: "conflict", text: `This endpoint is ${state}.` });
}
