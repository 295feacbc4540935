import { readConnectRequest, type UnreadRequest, type ValidRequest } from "@/server/services/connect/request";
import { signRequest } from "@/server/services/connect/signed-request";
import { connectProcedure } from "@/server/services/connect/trpc";
import { rawInput } from "@/server/services/input";

/** `signed`: the request as the page's form sends it back. */
export type OpenedPage = UnreadRequest | (ValidRequest & { signed: string });

/** GET /oauth/authorize as an application links to it: reads and checks the query. Throws nothing for a wrong one. */
export const openConnectPage = connectProcedure
  .input(rawInput((raw) => raw as URLSearchParams))
  .query(async ({ ctx, input }): Promise<OpenedPage> => {
    const reading = await readConnectRequest(ctx.db, input, ctx.now);
    return reading.kind === "valid" ? { ...reading, signed: signRequest(reading.request, ctx) } : reading;
  });
