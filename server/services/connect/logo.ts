import { connectProcedure } from "@/server/services/connect/trpc";
import { rawInput } from "@/server/services/input";

/** The PNG of a logo by its hash. Null: no application has it. */
export const readLogo = connectProcedure
  .input(rawInput((raw) => raw as string))
  .query(async ({ ctx, input: logoHash }): Promise<Uint8Array<ArrayBuffer> | null> => {
    const found = await ctx.db.prisma.applicationBranding.findFirst({ select: { logo: true }, where: { logoHash } });
    return found?.logo ?? null;
  });
