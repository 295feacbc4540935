import { z } from "zod";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import {
  type AuthorizationOutcome,
  type DelegationKey,
  type Delegator,
  MAX_ADDRESSES,
  MAX_DELEGATIONS,
  MAX_DOMAINS,
} from "@/server/domain/delegations";
import { connectorOf } from "@/server/providers/connectors";
import { email } from "@/server/services/events/write/guests-field";
import { refused, text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { withKey } from "@/server/services/staff/organizations/key-input";
import type { StaffOrganizations, VerifiedMailbox } from "@/server/services/staff/organizations/shapes";
import { keySentence, verifyMailbox } from "@/server/services/staff/organizations/verify";
import { adminProcedure, scopedProcedure, staffRouter } from "@/server/services/staff/procedure/trpc";
import { lockApplication } from "@/server/store/applications/applications.sql";
import { findDelegation, keyOf, sealKey } from "@/server/store/delegations/delegations";
import { probe } from "@/server/store/delegations/probe";
import { disconnectAll, restore } from "@/server/store/profiles/withdrawal";

const SHOWN = 50;
const id = text({ min: 1, max: 100 });
const domain = text({ min: 1, max: 253 })
  .transform((value) => value.trim().toLowerCase())
  .check(({ value, issues }) => {
    if (!/^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/.test(value)) {
      issues.push(refused(value, { key: "errors.invalid" }, "must be a domain, such as acme.com"));
    }
  });

const reach = {
  domains: z.array(domain).min(1).max(MAX_DOMAINS),
  addresses: z.array(email).max(MAX_ADDRESSES).default([]),
  group: email.or(z.literal("")).default(""),
};
const added = withKey({ id, ...reach });

/** Shows the organizations of an application and the last mailboxes that it asked for. Throws not_found. */
const list = scopedProcedure
  .input(staffInput(z.object({ id })))
  .query(async ({ ctx, input: { id: applicationId } }): Promise<StaffOrganizations> => {
    await ctx.scope.expectExisting("application", applicationId);
    const { prisma } = ctx.db;
    const delegations = await prisma.delegation.findMany({
      omit: { sealed: true },
      where: { applicationId },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    });
    const opened = await prisma.profile.groupBy({
      by: ["delegationId"],
      where: { applicationId, delegationId: { in: delegations.map((one) => one.id) } },
      _count: true,
    });
    const profiles = new Map(opened.map(({ delegationId, _count }) => [delegationId, _count]));
    const authorizations = await prisma.serviceAccountAuthorization.findMany({
      omit: { applicationId: true, state: true, profileId: true },
      where: { applicationId },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: SHOWN,
    });
    return {
      delegations: delegations.map(({ applicationId: _, provider, createdAt, withdrawnAt, ...one }) => ({
        ...one,
        ...{ provider: provider as Delegator, createdAt: createdAt.toISOString(), profiles: profiles.get(one.id) ?? 0 },
        withdrawnAt: withdrawnAt?.toISOString() ?? null,
      })),
      authorizations: authorizations.map(({ outcome, createdAt, toldAt, dueAt, ...one }) => ({
        ...one,
        ...{ outcome: outcome as AuthorizationOutcome | null, createdAt: createdAt.toISOString() },
        ...{ toldAt: toldAt?.toISOString() ?? null, dueAt: dueAt?.toISOString() ?? null },
      })),
    };
  });

/** Adds an organization's access to an application. Throws invalid, not_found and conflict. */
const add = adminProcedure
  .input(staffInput(added))
  .mutation(async ({ ctx, input: { id: object, key, domains, addresses, group } }): Promise<{ id: string }> => {
    const created = newId("dlg");
    await ctx.db.transaction(async (query, prisma) => {
      const taken = await run(query, lockApplication, [object]);
      if (taken.length === 0) throw new Refusal({ kind: "not_found" });
      await requireFreeDomains(prisma, { applicationId: object, domains });
      const reached = reachOf({ domains, addresses, group });
      await prisma.delegation.create({
        select: { id: true },
        data: {
          ...{ id: created, applicationId: object, sealed: sealKey(created, key), createdAt: new Date(ctx.now) },
          ...factsOf(key),
          ...reached,
        },
      });
      const detail = { delegation: created, ...factsOf(key), domains: reached.domains };
      await audit(prisma, ctx, { action: "organization.added", object, detail });
    });
    return { id: created };
  });

/** Returns what is shown of a key. */
function factsOf(key: DelegationKey) {
  return key.provider === "google"
    ? { provider: key.provider, client: key.clientEmail, tenant: null, administrator: key.administrator }
    : { provider: key.provider, client: key.clientId, tenant: key.tenant, administrator: null };
}

/**
 * Replaces the key of an organization. Its mailboxes stay connected, and those that the withdrawal of the last key has
 * disconnected are connected again. Throws invalid and not_found.
 */
const replaceKey = adminProcedure
  .input(staffInput(withKey({ delegationId: id })))
  .mutation(async ({ ctx, input: { delegationId, key } }): Promise<{ reconnected: number }> => {
    const delegation = await existing(ctx, delegationId);
    const isOther = key.provider !== delegation.provider || factsOf(key).tenant !== factsOf(keyOf(delegation)).tenant;
    if (isOther)
      throw new Refusal({ kind: "conflict", text: "The key belongs to another organization. Add it instead." });
    const probed = await probe(ctx.db, connectorOf(delegation.provider), { delegationId, key });
    // A key that can't be tried now may be right.
    if (probed.kind === "refused") throw new Refusal({ kind: "conflict", text: keySentence(key) });
    await ctx.db.transaction(async (_, prisma) => {
      const data = { ...factsOf(key), sealed: sealKey(delegationId, key) };
      await prisma.delegation.update({ select: { id: true }, where: { id: delegationId }, data });
      const detail = { delegation: delegationId, client: data.client };
      await audit(prisma, ctx, { action: "organization.key_replaced", object: delegation.applicationId, detail });
    });
    return { reconnected: await restore(ctx.db, delegationId) };
  });

/** Opens one mailbox, stores nothing of it, and says what is missing. A withdrawn organization that works again is restored. Throws not_found. */
const verify = adminProcedure
  .input(staffInput(z.object({ delegationId: id, email })))
  .mutation(async ({ ctx, input: { delegationId, email: address } }): Promise<VerifiedMailbox> => {
    const delegation = await existing(ctx, delegationId);
    const verified = await verifyMailbox(delegation, address);
    const detail = { delegation: delegationId, address, outcome: verified.kind };
    await audit(ctx.db.prisma, ctx, { action: "organization.verified", object: delegation.applicationId, detail });
    if (verified.kind !== "opened") return verified;
    return { ...verified, reconnected: delegation.isWithdrawn ? await restore(ctx.db, delegationId) : 0 };
  });

/** Removes an organization's access, and disconnects the mailboxes that it opened. Their accounts stay. Throws not_found. */
const remove = adminProcedure
  .input(staffInput(z.object({ delegationId: id })))
  .mutation(async ({ ctx, input: { delegationId } }): Promise<void> => {
    const delegation = await existing(ctx, delegationId);
    await ctx.db.transaction(async (query, prisma) => {
      // An authorization that is being stored holds the application, too.
      await run(query, lockApplication, [delegation.applicationId]);
      await prisma.delegation.delete({ select: { id: true }, where: { id: delegationId } });
      const detail = { delegation: delegationId, domains: delegation.domains };
      await audit(prisma, ctx, { action: "organization.removed", object: delegation.applicationId, detail });
    });
    await disconnectAll(ctx.db, delegationId, "delegation_removed");
  });

/** Changes whom an organization may reach. Mailboxes that are connected stay connected. Throws invalid, not_found and conflict. */
const setReach = adminProcedure
  .input(staffInput(z.object({ delegationId: id, ...reach })))
  .mutation(async ({ ctx, input: { delegationId, ...given } }): Promise<void> => {
    const { applicationId } = await existing(ctx, delegationId);
    await ctx.db.transaction(async (query, prisma) => {
      await run(query, lockApplication, [applicationId]);
      await requireFreeDomains(prisma, { applicationId, domains: given.domains, except: delegationId });
      await prisma.delegation.update({ select: { id: true }, where: { id: delegationId }, data: reachOf(given) });
      const detail = { delegation: delegationId, domains: given.domains };
      await audit(prisma, ctx, { action: "organization.reach_changed", object: applicationId, detail });
    });
  });

interface Domains {
  applicationId: string;
  domains: readonly string[];
  /** The delegation whose domains they are to be. */
  except?: string;
}

/** Throws conflict if one of the domains is another organization's, or the application has too many. */
async function requireFreeDomains(prisma: Prisma.TransactionClient, { applicationId, domains, except = "" }: Domains) {
  const where = { applicationId, id: { not: except } };
  const others = await prisma.delegation.findMany({ select: { domains: true }, where });
  const twice = domains.find((one) => others.some((other) => other.domains.includes(one)));
  if (twice) {
    throw new Refusal({ kind: "conflict", text: `${twice} belongs to another organization of this application.` });
  }
  if (others.length >= MAX_DELEGATIONS) {
    throw new Refusal({
      kind: "conflict",
      text: `An application can have at most ${MAX_DELEGATIONS} organizations.`,
    });
  }
}

function reachOf({ domains, addresses, group }: { domains: string[]; addresses: string[]; group: string }) {
  return { domains: [...new Set(domains)], addresses: [...new Set(addresses)], groupAddress: group || null };
}

async function existing({ db }: { db: Parameters<typeof restore>[0] }, delegationId: string) {
  const delegation = await findDelegation(db.prisma, delegationId);
  if (!delegation) throw new Refusal({ kind: "not_found" });
  return delegation;
}

export const organizations = staffRouter({ list, add, setReach, replaceKey, verify, remove });
