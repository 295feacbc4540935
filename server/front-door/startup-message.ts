import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { context } from "@/server/context";
import type { Env } from "@/server/env";

export interface FirstStart {
  demo?: { clientId: string; clientSecret: string; redirectUri: string };
  operator?: { email: string; password: string | null };
  needsOperator?: boolean;
}

/** Writes the demo application's credentials where a shell can read them: `. .data/demo.env`. */
export async function keepDemo({ DATA_DIR }: Env, { demo }: FirstStart): Promise<void> {
  if (!demo) return;
  const { clientId, clientSecret, redirectUri } = demo;
  const lines = `CLIENT_ID=${clientId}\nCLIENT_SECRET=${clientSecret}\nREDIRECT_URI=${redirectUri}\n`;
  await writeFile(demoFile(DATA_DIR), lines, { mode: 0o600 }).catch(() => undefined); // it is printed too
}

const demoFile = (folder: string) => join(folder, "demo.env");

/**
 * Writes the message that is printed when Almanac is ready: what a newcomer needs for a first request and a first
 * sign-in.
 */
export function startupMessage(env: Env, first: FirstStart, isEmbedded: boolean): string {
  const { demo, operator, needsOperator = false } = first;
  const { version, commit } = context.build;
  const blocks = [`Almanac is ready: ${env.BASE_URL}`];
  if (env.ALMANAC_ROLE === "worker") {
    const said = `This process is a worker on port ${env.PORT}: it runs background jobs, and serves /health and /api/inngest only.`;
    return `${[...blocks, said].join("\n\n")}\n`;
  }
  const file = demoFile(env.DATA_DIR);
  if (demo) {
    const { clientId, clientSecret, redirectUri } = demo;
    blocks.push(
      `Demo application (also in ${file}):\n  client id      ${clientId}\n  client secret  ${clientSecret}\n  redirect URI   ${redirectUri}`,
      `Make your first API call:\n  ${curl(env.BASE_URL, demo)}`,
    );
  } else if (existsSync(file)) blocks.push(`Demo application: see ${file}`);
  blocks.push(`Documentation: ${env.APP_URL}/docs`, `Dashboard: ${env.APP_URL}/dashboard${signIn(operator)}`);
  const { GOOGLE_CLIENT_ID, GOOGLE_BASE_URL, MICROSOFT_CLIENT_ID, MICROSOFT_BASE_URL } = env;
  const google = { name: "Google", as: "your OAuth client", standIn: GOOGLE_BASE_URL };
  const microsoft = { name: "Microsoft", as: "your app registration", standIn: MICROSOFT_BASE_URL };
  if (GOOGLE_CLIENT_ID) blocks.push(providerNote(env, google));
  if (MICROSOFT_CLIENT_ID) blocks.push(providerNote(env, microsoft));
  blocks.push(callbackNote(env));
  if (isEmbedded) {
    blocks.push(
      `Data is stored in an embedded database in ${env.DATA_DIR}, for one process. For production, set DATABASE_URL to a PostgreSQL server.`,
    );
  }
  if (needsOperator)
    blocks.push(
      "Nobody can sign in yet. Set ADMIN_EMAIL and ADMIN_PASSWORD, and start again to add the first operator.",
    );
  blocks.push(...jobsNote(env));
  blocks.push(
    `Version ${version}, commit ${commit}. Time zone data: tzdb ${process.versions.tz}. Run npm run tz to check it.`,
  );
  return `${blocks.join("\n\n")}\n`;
}

/** Explains where webhooks may go. */
function callbackNote({ CALLBACK_ALLOWED_ORIGINS: allowed }: Env): string {
  const others = allowed.length === 0 ? "" : `, or on one of these origins: ${allowed.join(", ")}`;
  return `Webhooks: callback URLs must be public https URLs${others}.`;
}

/** Explains where background jobs run, unless an Inngest server decides that. */
function jobsNote({ ALMANAC_ROLE, INNGEST_EVENT_KEY }: Env): string[] {
  if (ALMANAC_ROLE === "web")
    return ["This process serves requests only. Background jobs run in processes with ALMANAC_ROLE=worker."];
  if (INNGEST_EVENT_KEY) return [];
  return ["Background jobs run inside this process. To use an Inngest server instead, set INNGEST_*."];
}

interface NotedProvider {
  name: string;
  /** What the redirect URI belongs to there. */
  as: string;
  standIn: string | undefined;
}

/** Explains what has to be registered at a provider, and why changes come late, if they do. */
function providerNote({ APP_URL, BASE_URL, SYNC_POLL_SECONDS }: Env, { name, as, standIn }: NotedProvider): string {
  const redirectUri = `${APP_URL}/oauth/callback/${name.toLowerCase()}`;
  const registered = `${name} calendars: register ${redirectUri} as the redirect URI of ${as}.`;
  if (BASE_URL.startsWith("https:") || standIn) return registered;
  const checked = `Calendars are checked every ${SYNC_POLL_SECONDS} s, because ${name} sends notifications over https only.`;
  return `${registered} ${checked} To receive them, set BASE_URL to an https URL that ${name} can reach.`;
}

function signIn(operator: FirstStart["operator"]): string {
  if (!operator) return "";
  const password = operator.password ?? "the value of ADMIN_PASSWORD";
  return `\n  email     ${operator.email}\n  password  ${password}${operator.password ? "\n  Save the password now: it is shown only once." : ""}`;
}

function curl(baseUrl: string, { clientId, clientSecret }: NonNullable<FirstStart["demo"]>): string {
  const body = { client_id: clientId, client_secret: clientSecret, application_calendar_id: "demo-calendar" };
  return `curl ${baseUrl}/v1/application_calendars -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
}
