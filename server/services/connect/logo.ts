import { connectProcedure } from "@/server/services/connect/trpc";
import { rawInput } from "@/server/services/input";

/** Reads the PNG of a logo by its hash. Returns null when no application has it. */
export const readLogo = connectProcedure
  .input(rawInput((raw) => raw as string))
  .query(async ({ ctx, input: logoHash }): Promise<Uint8Array<ArrayBuffer> | null> => {
    const branding = await ctx.db.prisma.applicationBranding.findFirst({ select: { logo: true }, where: { logoHash } });
    return branding?.logo ?? null;
  });
