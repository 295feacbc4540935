import {
  type AskingApplication,
  askingApplication,
  type ConnectRequest,
  type Unusable,
} from "@/server/services/connect/request";
import { openRequest, signRequest } from "@/server/services/connect/signed-request";
import { type ConnectContext, connectProcedure } from "@/server/services/connect/trpc";
import { rawInput } from "@/server/services/input";
import { linkedAccount } from "@/server/store/link-tokens/link-tokens";

/** A request with the application that it is from. */
export interface LinkedRequest {
  application: AskingApplication;
  request: ConnectRequest;
}

/** `joins`: the account of the link token, where there is one. */
export type ResumableRequest = { kind: "open"; joins: string | null } & LinkedRequest;

/** As a page shows it. */
export interface OpenedRequest extends LinkedRequest {
  joins: string | null;
  /** The request as the page's form sends it back, from this browser alone. */
  signed: string;
}

export type EndedRequest =
  | ({ kind: "stale" } & LinkedRequest)
  | ({ kind: "link_ended" } & LinkedRequest)
  | {
      kind: "unusable";
      reason: Exclude<Unusable, "repeated"> | "form" | "sign_in";
      application: AskingApplication | null;
    };

/** The request that one of our pages carried, if its application, redirect URI and link token are still valid, signed again. */
export const resumeConnectPage = connectProcedure
  .input(rawInput((raw) => raw as string))
  .query(async ({ ctx, input }): Promise<EndedRequest | ({ kind: "open" } & OpenedRequest)> => {
    const found = await resumeRequest(ctx, input);
    return found.kind === "open" ? { ...found, signed: signRequest(found.request, ctx) } : found;
  });

/** As the procedure. `stale`: its time is over, or another browser sent it. */
export async function resumeRequest(
  { db, now, browser }: ConnectContext,
  signed: string,
): Promise<EndedRequest | ResumableRequest> {
  const read = openRequest(signed, { browser, now });
  if (read.kind === "broken") return { kind: "unusable", reason: "form", application: null };
  const found = await askingApplication(db, read.request);
  if (found.kind === "unusable") return found;
  const { application } = found;
  const { request } = read;
  if (read.kind === "stale") return { kind: "stale", application, request };
  if (request.linkToken === null) return { kind: "open", application, request, joins: null };
  const hash = Buffer.from(request.linkToken, "base64url");
  const linked = await linkedAccount(db.query, { hash, applicationId: application.id, now });
  return linked
    ? { kind: "open", application, request, joins: linked.name }
    : { kind: "link_ended", application, request };
}
