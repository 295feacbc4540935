import { z } from "zod";
import { run } from "@/server/db/statement";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { noteViewing } from "@/server/services/staff/audit/viewing";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { effectsOf } from "@/server/services/staff/requests/effects";
import { requestRow } from "@/server/services/staff/requests/list";
import { mismatchedRedirect } from "@/server/services/staff/requests/mismatched-redirect";
import { requestById } from "@/server/services/staff/requests/requests.sql";
import type { RequestDetail } from "@/server/services/staff/requests/shapes";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Loads one request with what was sent and returned. Reading it is audited once an hour. Throws not_found. */
export const getRequest = scopedProcedure
  .input(staffInput(z.object({ id: text({ min: 1, max: 100 }) })))
  .query(async ({ input: { id }, ctx }): Promise<RequestDetail> => {
    if (!UUID.test(id)) throw new Refusal({ kind: "not_found" });
    await ctx.scope.expect("request", id);
    const [found] = await run(ctx.db.query, requestById, [id]);
    if (!found) throw new Refusal({ kind: "not_found" });
    await noteViewing(ctx, { action: "request.viewed", object: id });
    const { query, address, requestHeaders, requestBody, responseHeaders, responseBody, ...row } = found;
    const bodies = { query, address, requestHeaders, requestBody, responseHeaders, responseBody };
    const redirect = await mismatchedRedirect(ctx.db, { ...row, query });
    return { ...requestRow(row), ...bodies, redirect, caused: await effectsOf(ctx, { ...row, ...bodies }) };
  });
