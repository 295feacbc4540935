import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Env } from "@/server/env";

export interface FirstStart {
  demo?: { clientId: string; clientSecret: string };
  operator?: { email: string; password: string | null };
}

/** What the first start made, where a shell can read it: `. .data/demo.env`. */
export async function keepDemo({ DATA_DIR }: Env, { demo }: FirstStart): Promise<void> {
  if (!demo) return;
  const lines = `CLIENT_ID=${demo.clientId}\nCLIENT_SECRET=${demo.clientSecret}\n`;
  await writeFile(join(DATA_DIR, "demo.env"), lines, { mode: 0o600 }).catch(() => undefined); // it is printed too
}

/** What is printed when Almanac is ready. */
export function greeting(env: Env, { demo, operator }: FirstStart, isEmbedded: boolean): string {
  const blocks = [`Almanac is ready: ${env.BASE_URL}`];
  if (demo) {
    blocks.push(
      `A demo application was made:\n  client id      ${demo.clientId}\n  client secret  ${demo.clientSecret}`,
      `Open a calendar with it:\n  ${curl(env.BASE_URL, demo)}`,
    );
  }
  if (operator) {
    blocks.push(
      `The first operator of the dashboard (shown only now):\n  e-mail    ${operator.email}\n  password  ${operator.password ?? "as ADMIN_PASSWORD says"}`,
    );
  }
  if (isEmbedded) {
    blocks.push(
      `The database is embedded (${env.DATA_DIR}) and serves this one process; set DATABASE_URL to use a server.`,
    );
  }
  if (!env.INNGEST_EVENT_KEY) {
    blocks.push("Background work runs inside this process, for one machine; set INNGEST_* to use an Inngest server.");
  }
  blocks.push(`Time zone data: tzdb ${process.versions.tz} (npm run tz says more).`);
  return `${blocks.join("\n\n")}\n`;
}

function curl(baseUrl: string, { clientId, clientSecret }: NonNullable<FirstStart["demo"]>): string {
  const body = { client_id: clientId, client_secret: clientSecret, application_calendar_id: "demo-calendar" };
  return `curl ${baseUrl}/v1/application_calendars -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
}
