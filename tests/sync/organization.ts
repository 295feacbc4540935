import { createHmac } from "node:crypto";
import { onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { provideEnv } from "@/server/env";
import type { Connector } from "@/server/providers/connector";
import { provideConnector } from "@/server/providers/connectors";
import { pushes } from "@/server/sync/pushes";
import { syncs } from "@/server/sync/syncs";
import { authorizationLoop } from "@/server/webhooks/authorizations/loop";
import { basic } from "../api/availability";
import { applicationId, exchange, withToken } from "../api/grants";
import { type Application, call, newApplication } from "../api/service";
import { newOperator, type Operator } from "../api/staff/staff-caller";
import { type Got, type Receiver, startReceiver } from "../fakes/receiver";
import { setSyncDueNow } from "../fakes/stored";
import { setWritesDueNow } from "../fakes/stored-writes";
import { ours, POLL_MS } from "./world";

const PATIENCE_MS = 60_000;

/** An application with an organization at a provider, and a server of its own that is told of mailboxes. */
export async function organizationAt(provider: "google" | "microsoft", connector: Connector, added: object) {
  provideConnector(provider, connector);
  const receiver = await startReceiver();
  provideEnv({ CALLBACK_ALLOWED_ORIGINS: receiver.origin });
  const admin = await newOperator("admin");
  const application = await newApplication();
  const { id: delegationId } = await admin.api.organizations.add({
    ...{ id: await applicationId(application), ...added },
  } as Parameters<Operator["api"]["organizations"]["add"]>[0]);
  const loop = authorizationLoop();
  const connectorOf = (name: string) => (name === provider ? connector : null);
  const [syncing, pushing] = [syncs({ db, connectorOf, pollMs: POLL_MS }), pushes({ db, connectorOf })];
  onTestFinished(async () => {
    await Promise.all([loop.stop(), syncing.stop(), pushing.stop(), receiver.close()]);
    provideConnector(provider, null);
    await db().prisma.profile.updateMany({ where: { provider }, data: { connected: false } });
    await db().prisma.serviceAccountAuthorization.updateMany({ where: {}, data: { dueAt: null } });
  });
  const request = (body: object, as: Application = application) =>
    call("POST", "/v1/service_account_authorizations", { json: body, headers: basic(as) });
  const due = async () => {
    await db().prisma.serviceAccountAuthorization.updateMany({
      where: { dueAt: { not: null } },
      data: { dueAt: new Date(0) },
    });
    await loop.drain(PATIENCE_MS);
  };
  /** Asks for a mailbox and gives what the callback URL is told. */
  const authorize = async (email: string, state?: string) => {
    const before = receiver.got.length;
    const { status, text } = await request({ email, callback_url: receiver.url(), state });
    if (status !== 202 || text !== "") throw new Error(`${status} ${text}`);
    await due();
    const told = receiver.got[before];
    if (!told) throw new Error("nobody was told");
    return told.json.authorization as { code?: string; error?: string; state?: string };
  };
  /** The same, and exchanges the code. */
  const connect = async (email: string) => {
    const { code, error } = await authorize(email);
    if (!code) throw new Error(String(error));
    const { status, json, text } = await exchange(application, code, { redirect_uri: receiver.url() });
    if (status !== 200) throw new Error(text);
    const profileId = json.linking_profile.profile_id as string;
    const sync = async () => {
      await setSyncDueNow(profileId);
      await syncing.drain(PATIENCE_MS);
    };
    const push = async () => {
      await setWritesDueNow(profileId);
      await pushing.drain(PATIENCE_MS);
    };
    const ask = (method: string) => (path: string, body?: unknown) => withToken(method, path, json.access_token, body);
    const readStatus = async () => (await ask("GET")(`/v1/profiles/${profileId}/status`)).json;
    const calendarId = async () => (await ask("GET")("/v1/calendars")).json.calendars[0].calendar_id as string;
    /** An event of the application's, which is brought to the provider. */
    const write = async (eventId: string) => {
      const { status, text } = await ask("POST")(`/v1/calendars/${await calendarId()}/events`, ours(eventId));
      if (status !== 202) throw new Error(text);
      await push();
    };
    const asks = { get: ask("GET"), post: ask("POST"), status: readStatus };
    return { accountId: json.sub as string, profileId, calendarId, sync, push, write, ...asks };
  };
  return { admin, application, delegationId, receiver, loop, syncing, request, due, authorize, connect };
}

/** Whether a request was signed with the application's secret. */
export function isSigned({ headers, body }: Got, { clientSecret }: Application): boolean {
  return headers["svc-hmac-sha256"] === createHmac("sha256", clientSecret).update(body).digest("base64");
}

export type { Receiver };
