import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { killAll, type Service, start } from "../start/service";
import { type Api, apiAt, credentials } from "./api";
import { type Application, startApplication } from "./application";
import { rowsOf } from "./database";

export const ADA = "ada@example.com";
export const BEN = "ben@example.com";
export const CAROL = "carol@example.com";

/** A service whose users have their calendars at a fake of a provider, which notifies it of changes. It does not poll while tests run. */
export interface ProviderService {
  application: Application;
  receiver: Receiver;
  service: Service;
  api: Api;
  /** The address that the application sends users to. */
  authorize(fields?: Record<string, string>): string;
  /** How much of each there is: what a sign-in that failed leaves behind shows here. */
  counts(): Promise<Record<string, number>>;
  end(): Promise<void>;
}

export interface ProviderFake {
  client: { redirectUris: string[] };
  close(): Promise<void>;
}

/** `path`: what the provider's addresses here end with. `env`: how it is reached. */
export async function startProviderService(
  fake: ProviderFake,
  { path, env }: { path: string; env: Record<string, string> },
): Promise<ProviderService> {
  const dataDir = mkdtempSync(join(tmpdir(), `almanac-${path}-`));
  const [application, receiver] = await Promise.all([startApplication(), startReceiver()]);
  const bootstrap = [{ ...credentials, name: "Acme", redirect_uris: [application.callback] }];
  const service = await start(
    {
      ...{ DATA_DIR: dataDir, ...env, SYNC_POLL_SECONDS: "3600" },
      CALLBACK_ALLOWED_ORIGINS: receiver.origin,
      BOOTSTRAP_APPLICATIONS: JSON.stringify(bootstrap),
    },
    resolve(import.meta.dirname, "../.."),
  );
  fake.client.redirectUris.push(`${service.origin}/oauth/callback/${path}`);
  const socket = encodeURIComponent(join(dataDir, "socket"));
  const databaseUrl = `postgresql://almanac@localhost:5432/postgres?host=${socket}&sslmode=disable`;
  return {
    ...{ application, receiver, service, api: apiAt(() => service.origin) },
    authorize: (fields = {}) => {
      const asked = { response_type: "code", client_id: "acme", redirect_uri: application.callback, state: "s-1" };
      return `${service.origin}/oauth/authorize?${new URLSearchParams({ ...asked, ...fields })}`;
    },
    counts: () => countsIn(databaseUrl),
    end: async () => {
      await service.stop();
      killAll();
      await Promise.all([fake.close(), application.close(), receiver.close()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const tables = ["accounts", "profiles", "calendars", "codes", "grants"];
const everything = `SELECT ${tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`).join(", ")}`;

async function countsIn(databaseUrl: string): Promise<Record<string, number>> {
  return (await rowsOf(databaseUrl, everything))[0];
}
