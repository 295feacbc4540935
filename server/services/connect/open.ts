import {
  type AskingApplication,
  askingApplication,
  type ConnectRequest,
  readConnectRequest,
  type UnreadRequest,
  type UnusableReason,
  type ValidRequest,
} from "@/server/services/connect/request";
import { openRequest, signRequest } from "@/server/services/connect/signed-request";
import { type ConnectContext, connectProcedure } from "@/server/services/connect/trpc";
import { rawInput } from "@/server/services/input";
import { linkedAccount } from "@/server/store/link-tokens/link-tokens";

/** `signed`: the request as the page's form sends it back. */
export type OpenedPage = UnreadRequest | (ValidRequest & { signed: string });

/** Reads and checks the query of GET /oauth/authorize, as an application links to it. Throws nothing for an invalid one. */
export const openConnectPage = connectProcedure
  .input(rawInput((raw) => raw as URLSearchParams))
  .query(async ({ ctx, input }): Promise<OpenedPage> => {
    const reading = await readConnectRequest(ctx.db, input, ctx.now);
    return reading.kind === "valid" ? { ...reading, signed: signRequest(reading.request, ctx) } : reading;
  });

/** A request with the application that sent it. */
export interface LinkedRequest {
  application: AskingApplication;
  request: ConnectRequest;
}

/** What the link token of a request is for, if it has one. */
type Purpose = Pick<ValidRequest, "joins" | "reconnects">;

export type ResumableRequest = { kind: "open" } & Purpose & LinkedRequest;

/** A request with what the page shows. */
export interface OpenedRequest extends LinkedRequest, Purpose {
  /** The request as the page's form sends it back, valid in this browser only. */
  signed: string;
}

export type EndedRequest =
  | ({ kind: "stale" } & LinkedRequest)
  | ({ kind: "link_ended" } & LinkedRequest)
  | {
      kind: "unusable";
      reason: Exclude<UnusableReason, "repeated"> | "form" | "sign_in";
      application: AskingApplication | null;
    };

export interface ResumeInput {
  signed: string;
  /** The language that the user chose on the page. Null: that of the request. */
  locale: string | null;
}

/**
 * Restores the request that one of our pages carried, signed again, if its application, redirect URI and link token are
 * still valid.
 */
export const resumeConnectPage = connectProcedure
  .input(rawInput((raw) => raw as ResumeInput))
  .query(async ({ ctx, input: { signed, locale } }): Promise<EndedRequest | ({ kind: "open" } & OpenedRequest)> => {
    const resumed = await resumeRequest(ctx, signed);
    if (resumed.kind !== "open") return resumed;
    const request = { ...resumed.request, locale: locale ?? resumed.request.locale };
    return { ...resumed, request, signed: signRequest(request, ctx) };
  });

/** Restores a signed request, like the procedure. `stale`: it has expired, or another browser sent it. */
export async function resumeRequest(
  { db, now, browser }: ConnectContext,
  signed: string,
): Promise<EndedRequest | ResumableRequest> {
  const read = openRequest(signed, { browser, now });
  if (read.kind === "broken") return { kind: "unusable", reason: "form", application: null };
  const asking = await askingApplication(db, read.request);
  if (asking.kind === "unusable") return asking;
  const { application } = asking;
  const { request } = read;
  if (read.kind === "stale") return { kind: "stale", application, request };
  if (request.linkToken === null) return { kind: "open", application, request, joins: null, reconnects: null };
  const hash = Buffer.from(request.linkToken, "base64url");
  const linked = await linkedAccount(db.query, { hash, applicationId: application.id, now });
  if (!linked) return { kind: "link_ended", application, request };
  const { reconnects } = linked;
  return { kind: "open", application, request, joins: reconnects ? null : linked.name, reconnects };
}
