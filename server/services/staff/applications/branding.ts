import { createHash } from "node:crypto";
import { z } from "zod";
import type { AuditAction } from "@/server/domain/audit/actions";
import { isColour } from "@/server/domain/branding/accent";
import { type Branding, LARGEST_LOGO_BYTES, LARGEST_LOGO_SIDE } from "@/server/domain/branding/branding";
import { readPng } from "@/server/domain/branding/png";
import { parsedUrl } from "@/server/domain/net/parsed-url";
import { refused, text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { invalid, type Refusal } from "@/server/services/refusal";
import { runAudited } from "@/server/services/staff/audit/audit";
import type { OperatorContext } from "@/server/services/staff/procedure/staff-context";
import { ownerProcedure, scopedProcedure } from "@/server/services/staff/procedure/trpc";

const LONGEST_URL = 500;
/** Length in base64. */
const LONGEST_LOGO = Math.ceil(LARGEST_LOGO_BYTES / 3) * 4;
const HASH_LENGTH = 32;

const id = text({ min: 1, max: 100 });
const link = text({ max: LONGEST_URL }).check(({ value, issues }) => {
  const url = parsedUrl(value);
  if (value === "" || (url?.protocol === "https:" && url.username === "" && url.password === "")) return;
  issues.push(refused(value, { key: "errors.invalid" }, "must be an https URL"));
});
const colour = z.string().check(({ value, issues }) => {
  if (value === "" || isColour(value)) return;
  issues.push(refused(value, { key: "errors.invalid" }, "must be a color such as #1a73e8"));
});

/** Reads how an application's connect page looks. Throws not_found. */
export const readBranding = scopedProcedure
  .input(staffInput(z.object({ id })))
  .query(async ({ input, ctx }): Promise<Branding> => {
    await ctx.scope.expectExisting("application", input.id);
    const branding = await ctx.db.prisma.applicationBranding.findUnique({
      select: { logoHash: true, accent: true, supportUrl: true, privacyUrl: true },
      where: { applicationId: input.id },
    });
    if (!branding) return { logo: null, accent: null, supportUrl: null, privacyUrl: null };
    const { logoHash: logo, ...rest } = branding;
    return { logo, ...rest };
  });

const branding = z.object({ id, accent: colour, supportUrl: link, privacyUrl: link });

/** Sets colour and links; an empty text removes one. Throws invalid and not_found. */
export const setBranding = ownerProcedure
  .input(staffInput(branding))
  .mutation(async ({ input: { id: object, ...given }, ctx }) => {
    await ctx.scope.expectExisting("application", object);
    const changes = {
      accent: given.accent.toLowerCase() || null,
      supportUrl: given.supportUrl || null,
      privacyUrl: given.privacyUrl || null,
    };
    await change(ctx, object, { changes, action: "branding.changed", detail: changes });
  });

const logo = z.object({ id, png: z.string().max(LONGEST_LOGO) });

/** Sets the logo: a PNG in base64. Only its pixels are kept. Throws invalid and not_found. */
export const setLogo = ownerProcedure
  .input(staffInput(logo))
  .mutation(async ({ input: { id: object, png }, ctx }): Promise<{ logo: string }> => {
    await ctx.scope.expectExisting("application", object);
    const reading = readPng(Buffer.from(png, "base64"));
    if (reading.kind === "not_png") throw invalidLogo("must be a PNG file");
    if (reading.kind === "too_many_pixels") {
      throw invalidLogo(`must be at most ${LARGEST_LOGO_SIDE} pixels wide and high`);
    }
    const { bytes, width, height } = reading;
    const logoHash = createHash("sha256").update(bytes).digest("hex").slice(0, HASH_LENGTH);
    const changes = { logo: Buffer.from(bytes), logoHash };
    await change(ctx, object, { changes, action: "logo.changed", detail: { width, height, bytes: bytes.length } });
    return { logo: logoHash };
  });

/** Removes the logo. Throws not_found. */
export const removeLogo = ownerProcedure
  .input(staffInput(z.object({ id })))
  .mutation(async ({ input: { id: object }, ctx }) => {
    await ctx.scope.expectExisting("application", object);
    await change(ctx, object, { changes: { logo: null, logoHash: null }, action: "logo.removed" });
  });

interface BrandingChange {
  changes: Partial<Record<"accent" | "supportUrl" | "privacyUrl" | "logoHash", string | null>> & {
    logo?: Buffer<ArrayBuffer> | null;
  };
  action: AuditAction;
  detail?: Record<string, unknown>;
}

async function change(
  ctx: OperatorContext,
  applicationId: string,
  { changes, action, detail }: BrandingChange,
): Promise<void> {
  const write = ctx.db.prisma.applicationBranding.upsert({
    select: { applicationId: true },
    where: { applicationId },
    create: { applicationId, ...changes },
    update: changes,
  });
  await runAudited(ctx, write, { action, object: applicationId, detail });
}

function invalidLogo(description: string): Refusal {
  return invalid({ path: ["png"], key: "errors.invalid", description: `Logo ${description}` });
}
