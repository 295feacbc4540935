import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { findServer } from "../sync/servers.mjs";
import { freePort } from "./free-port";

export interface Login {
  user: string;
  password: string;
}

/** A CalDAV server's program on the loopback, that can be stopped and started with the same data and port. */
export interface DavProgram {
  port: number;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** How a program is started that is not found by its name, or that starts others. */
export interface ProgramOptions {
  path?: string;
  env?: Record<string, string>;
  uid?: number;
  gid?: number;
  /** It has processes of its own, and ends them when it is asked to end: its whole group, which is not to be ours. */
  hasProcesses?: boolean;
}

export async function startProgram(
  name: string,
  args: (port: number) => string[] | Promise<string[]>,
  { path, hasProcesses = false, env, ...owner }: ProgramOptions = {},
): Promise<DavProgram> {
  const found = path ?? findServer(name);
  if (!found)
    throw new Error(`${name} is missing: npm run test:all -- --install installs it (tests/sync/servers.mjs).`);
  const port = await freePort();
  let child: ChildProcess | null = null;
  const stop = async () => {
    const running = child;
    child = null;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const gone = once(running, "exit");
    running.kill(hasProcesses ? "SIGTERM" : "SIGKILL");
    await gone;
  };
  const start = async () => {
    await stop();
    let said = "";
    const started = spawn(found, await args(port), {
      ...{ ...owner, detached: hasProcesses, env: { ...process.env, ...env } },
      stdio: ["ignore", "ignore", "pipe"],
    });
    child = started;
    started.stderr?.on("data", (chunk) => {
      said = (said + chunk).slice(-2000);
    });
    process.once("exit", () => {
      started.kill(hasProcesses ? "SIGTERM" : "SIGKILL");
    });
    await answers(port, () => {
      if (started.exitCode !== null) throw new Error(`${name} ended: ${said}`);
    });
  };
  await start();
  return { port, stop, start };
}

/** MKCALENDAR as the user; gives the calendar's address. */
export async function makeCalendar(home: string, login: Login, name: string): Promise<string> {
  const url = `${home}${encodeURIComponent(name.toLowerCase().replaceAll(/[^a-z0-9]+/gi, "-"))}/`;
  const body = `<?xml version="1.0"?><C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>
    <D:displayname>${name.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</D:displayname>
    <C:supported-calendar-component-set><C:comp name="VEVENT"/></C:supported-calendar-component-set>
  </D:prop></D:set></C:mkcalendar>`;
  const response = await fetch(url, {
    method: "MKCALENDAR",
    headers: { authorization: basic(login), "content-type": "application/xml; charset=utf-8" },
    body,
  });
  if (response.status !== 201) throw new Error(`MKCALENDAR: ${response.status} ${await response.text()}`);
  return url;
}

export function basic({ user, password }: Login): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

async function answers(port: number, stillThere: () => void): Promise<void> {
  const until = Date.now() + 30_000;
  for (;;) {
    stillThere();
    const response = await fetch(`http://127.0.0.1:${port}/`, { redirect: "manual" }).catch(() => null);
    await response?.body?.cancel();
    if (response) return;
    if (Date.now() > until) throw new Error(`Nothing answers at port ${port}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
