import { z } from "zod";
import type { Query } from "@/server/db/client";
import { newId, newToken } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import { isRedirectUri, REDIRECT_URI_RULE } from "@/server/domain/redirect-uri";
import { nameOf, refused, text } from "@/server/services/fields";
import { Refusal } from "@/server/services/refusal";
import { insertRedirectUri, redirectUris } from "@/server/services/staff/applications/applications.sql";
import type { NewApplication } from "@/server/services/staff/applications/shapes";
import { audit, runAudited } from "@/server/services/staff/audit/audit";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { adminProcedure, ownerProcedure } from "@/server/services/staff/procedure/trpc";
import { lockApplication } from "@/server/store/applications/applications.sql";
import { registerWithin } from "@/server/store/applications/register";

const LONGEST_URI = 2_000;
const MOST_URIS = 50;

const id = text({ min: 1, max: 100 });
const name = nameOf({ max: 100 });
const plan = z.enum(["developer", "standard"]);
const redirectUri = text({ min: 1, max: LONGEST_URI }).check(({ value, issues }) => {
  if (value !== "" && !isRedirectUri(value)) issues.push(refused(value, { key: "errors.invalid" }, REDIRECT_URI_RULE));
});

const registration = z.object({
  name,
  plan: plan.default("standard"),
  compatibilityMode: z.boolean().default(false),
  redirectUris: z.array(redirectUri).max(MOST_URIS).default([]),
});

/** Registers an application. Its secret is shown only here. Throws invalid. */
export const createApplication = adminProcedure
  .input(staffInput(registration))
  .mutation(async ({ input, ctx }): Promise<NewApplication> => {
    const made = { clientId: newId("app").replace("app_", "client_"), clientSecret: newToken() };
    return await ctx.db.transaction(async (query) => {
      const given = { ...input, redirectUris: [...new Set(input.redirectUris)], ...made };
      const object = await registerWithin(query, given, ctx.now);
      await audit(query, ctx, { action: "application.created", object, detail: { ...input, clientId: made.clientId } });
      return { id: object, ...made };
    });
  });

/** Changes what is given. Throws invalid and not_found. */
export const updateApplication = adminProcedure
  .input(
    staffInput(
      z.object({ id, name: name.optional(), plan: plan.optional(), compatibilityMode: z.boolean().optional() }),
    ),
  )
  .mutation(async ({ input: { id: object, ...changes }, ctx }) => {
    const data = { ...changes, updatedAt: new Date(ctx.now) };
    const change = ctx.db.prisma.application.update({ select: { id: true }, where: { id: object }, data });
    const isChanged = await runAudited(ctx, change, { action: "application.changed", object, detail: changes });
    if (!isChanged) throw new Refusal({ kind: "not_found" });
  });

const ofUri = z.object({ id, uri: redirectUri });

/** Registers one more redirect URI, which requests must then name as this very string. Throws invalid, not_found and conflict. */
export const addRedirectUri = ownerProcedure
  .input(staffInput(ofUri))
  .mutation(async ({ input: { id: object, uri }, ctx }) => {
    await ctx.scope.expect("application", object);
    await ctx.db.transaction(async (query) => {
      const registered = await urisOf(query, object);
      if (registered.includes(uri))
        throw new Refusal({ kind: "conflict", text: "This redirect URI is already registered." });
      if (registered.length >= MOST_URIS) {
        throw new Refusal({ kind: "conflict", text: `An application can have at most ${MOST_URIS} redirect URIs.` });
      }
      await run(query, insertRedirectUri, [object, uri, new Date(ctx.now)]);
      await audit(query, ctx, { action: "redirect_uri.added", object, detail: { uri } });
    });
  });

/** Sign-ins that come back to this address are refused from now on. Throws not_found. */
export const removeRedirectUri = ownerProcedure
  .input(staffInput(z.object({ id, uri: text({ min: 1, max: LONGEST_URI }) })))
  .mutation(async ({ input: { id: object, uri }, ctx }) => {
    await ctx.scope.expect("application", object);
    const where = { applicationId_uri: { applicationId: object, uri } };
    const removal = ctx.db.prisma.redirectUri.delete({ select: { uri: true }, where });
    const isRemoved = await runAudited(ctx, removal, { action: "redirect_uri.removed", object, detail: { uri } });
    if (!isRemoved) throw new Refusal({ kind: "not_found" });
  });

/** The registered redirect URIs; the application is taken for the rest of the transaction. Throws not_found. */
async function urisOf(query: Query, applicationId: string): Promise<string[]> {
  const taken = await run(query, lockApplication, [applicationId]);
  if (taken.length === 0) throw new Refusal({ kind: "not_found" });
  const rows = await run(query, redirectUris, [applicationId]);
  return rows.map(({ uri }) => uri);
}
