import { z } from "zod";
import type { Connection } from "@/server/db/client";
import { newId, newToken } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import { MAX_APPLICATION_NAME, MAX_REDIRECT_URI } from "@/server/domain/text-limits";
import { nameOf, text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { redirectUri } from "@/server/services/redirect-uri";
import { Refusal } from "@/server/services/refusal";
import type { NewApplication } from "@/server/services/staff/applications/shapes";
import { audit, runAudited } from "@/server/services/staff/audit/audit";
import { adminProcedure, ownerProcedure } from "@/server/services/staff/procedure/trpc";
import { lockApplication } from "@/server/store/applications/applications.sql";
import { registerWithin } from "@/server/store/applications/register";

const MOST_URIS = 50;

const id = text({ min: 1, max: 100 });
const name = nameOf({ max: MAX_APPLICATION_NAME });
const plan = z.enum(["developer", "standard"]);

const registration = z.object({
  name,
  plan: plan.default("standard"),
  compatibilityMode: z.boolean().default(false),
  editForeignEvents: z.boolean().default(false),
  mcpWrites: z.boolean().default(false),
  publicClient: z.boolean().default(false),
  connectSuccessPage: z.boolean().default(false),
  redirectUris: z.array(redirectUri).max(MOST_URIS).default([]),
});

/** Registers an application. Its secret is shown only here; a public client gets none. Throws invalid. */
export const createApplication = adminProcedure
  .input(staffInput(registration))
  .mutation(async ({ input, ctx }): Promise<NewApplication> => {
    const made = {
      clientId: newId("app").replace("app_", "client_"),
      clientSecret: input.publicClient ? null : newToken(),
    };
    return await ctx.db.transaction(async (query, prisma) => {
      const registration = { ...input, redirectUris: [...new Set(input.redirectUris)], ...made };
      const object = await registerWithin({ query, prisma }, registration, ctx.now);
      await audit(prisma, ctx, {
        action: "application.created",
        object,
        detail: { ...input, clientId: made.clientId },
      });
      return { id: object, ...made };
    });
  });

/** Changes the fields in the input. Throws invalid and not_found. */
export const updateApplication = adminProcedure
  .input(
    staffInput(
      z.object({
        id,
        name: name.optional(),
        plan: plan.optional(),
        compatibilityMode: z.boolean().optional(),
        editForeignEvents: z.boolean().optional(),
        mcpWrites: z.boolean().optional(),
        publicClient: z.boolean().optional(),
        connectSuccessPage: z.boolean().optional(),
      }),
    ),
  )
  .mutation(async ({ input: { id: object, ...changes }, ctx }) => {
    const data = { ...changes, updatedAt: new Date(ctx.now) };
    const change = ctx.db.prisma.application.update({ select: { id: true }, where: { id: object }, data });
    const isChanged = await runAudited(ctx, change, { action: "application.changed", object, detail: changes });
    if (!isChanged) throw new Refusal({ kind: "not_found" });
  });

const ofUri = z.object({ id, uri: redirectUri });

/** Registers one more redirect URI, which requests must match exactly. Throws invalid, not_found and conflict. */
export const addRedirectUri = ownerProcedure
  .input(staffInput(ofUri))
  .mutation(async ({ input: { id: object, uri }, ctx }) => {
    await ctx.scope.expect("application", object);
    await ctx.db.transaction(async (query, prisma) => {
      const registered = await urisOf({ query, prisma }, object);
      if (registered.includes(uri))
        throw new Refusal({ kind: "conflict", text: "This redirect URI is already registered." });
      if (registered.length >= MOST_URIS) {
        throw new Refusal({ kind: "conflict", text: `An application can have at most ${MOST_URIS} redirect URIs.` });
      }
      await prisma.redirectUri.create({
        select: { uri: true },
        data: { applicationId: object, uri, createdAt: new Date(ctx.now) },
      });
      await audit(prisma, ctx, { action: "redirect_uri.added", object, detail: { uri } });
    });
  });

/** Removes a redirect URI: sign-ins that return to it are refused from now on. Throws not_found. */
export const removeRedirectUri = ownerProcedure
  .input(staffInput(z.object({ id, uri: text({ min: 1, max: MAX_REDIRECT_URI }) })))
  .mutation(async ({ input: { id: object, uri }, ctx }) => {
    await ctx.scope.expect("application", object);
    const where = { applicationId_uri: { applicationId: object, uri } };
    const removal = ctx.db.prisma.redirectUri.delete({ select: { uri: true }, where });
    const isRemoved = await runAudited(ctx, removal, { action: "redirect_uri.removed", object, detail: { uri } });
    if (!isRemoved) throw new Refusal({ kind: "not_found" });
  });

/** Loads the registered redirect URIs and locks the application for the rest of the transaction. Throws not_found. */
async function urisOf({ query, prisma }: Connection, applicationId: string): Promise<string[]> {
  const taken = await run(query, lockApplication, [applicationId]);
  if (taken.length === 0) throw new Refusal({ kind: "not_found" });
  const rows = await prisma.redirectUri.findMany({ select: { uri: true }, where: { applicationId } });
  return rows.map(({ uri }) => uri);
}
