import { once } from "node:events";
import { chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { findCyrus } from "../sync/cyrus-programs.mjs";
import { basic, type Login, makeCalendar, startProgram } from "./dav-server";

/** Somebody with an account on the server. */
export interface Guest extends Login {
  /** To invite them by. */
  address: string;
  /** The calendar that invitations are put into. */
  calendar: string;
}

export interface Cyrus extends Guest {
  /** The entry point, where discovery begins. */
  url: string;
  /** Another person on the same server. */
  second: Guest;
  /** A calendar of the first one's. */
  makeCalendar(name: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * Debian's Cyrus on the loopback: it brings invitations to its own users, and their replies back (RFC 6638). Others must not
 * be invited: it would wait for a mail server, and nobody could use the inviter's calendars in the meantime.
 */
export async function startCyrus(): Promise<Cyrus> {
  const found = findCyrus();
  if (!found)
    throw new Error(
      "Cyrus is missing: npm run test:all -- --install fetches it from Debian's packages (tests/sync/servers.mjs).",
    );
  const folder = await mkdtemp(join(tmpdir(), "almanac-cyrus-"));
  const owner = await foldersOf(folder);
  const program = await startProgram("cyrmaster", (port) => configured(folder, found.programs, port), {
    ...{ path: found.master, uid: owner.uid, gid: owner.gid, hasProcesses: true },
    env: { LD_LIBRARY_PATH: found.libraries.join(":") },
  });
  const url = `http://127.0.0.1:${program.port}/`;
  const guest = async (user: string): Promise<Guest> => {
    const login = { user, password: "any-password-will-do" };
    await signInToMail(mailSocket(folder), login);
    const calendar = await firstCalendar(`${url}dav/calendars/user/${user}/`, login);
    return { ...login, address: `${user}@${DOMAIN}`, calendar };
  };
  const anna = await guest("anna");
  return {
    ...anna,
    url,
    second: await guest("ben"),
    makeCalendar: (name) => makeCalendar(`${url}dav/calendars/user/${anna.user}/`, anna, name),
    close: async () => {
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const DOMAIN = "example.com";
const NOBODY = 65_534;

/** It refuses to run as root. */
async function foldersOf(folder: string): Promise<{ uid: number; gid: number }> {
  const { uid: own, gid } = userInfo();
  const owner = own === 0 ? { uid: NOBODY, gid: NOBODY } : { uid: own, gid };
  const folders = [
    "",
    "spool",
    "conf",
    ...["db", "socket", "proc", "log", "lock", "msg"].map((name) => `conf/${name}`),
  ];
  for (const one of folders) {
    await mkdir(join(folder, one), { recursive: true });
    await chown(join(folder, one), owner.uid, owner.gid);
  }
  return owner;
}

function mailSocket(folder: string): string {
  return join(folder, "conf", "socket", "imap");
}

async function configured(folder: string, programs: string, port: number): Promise<string[]> {
  const [server, services] = [join(folder, "imapd.conf"), join(folder, "cyrus.conf")];
  const { uid, username } = userInfo();
  const settings = {
    cyrus_user: uid === 0 ? "nobody" : username,
    configdirectory: join(folder, "conf"),
    defaultpartition: "default",
    "partition-default": join(folder, "spool"),
    servername: "localhost",
    ...{ allowplaintext: "yes", sasl_pwcheck_method: "alwaystrue", sasl_mech_list: "PLAIN", autocreate_quota: "0" },
    ...{ httpmodules: "caldav", calendar_user_address_set: DOMAIN, sendmail: "/bin/false" },
  };
  await writeFile(
    server,
    Object.entries(settings)
      .map((one) => `${one.join(": ")}\n`)
      .join(""),
  );
  const service = (name: string, listen: string) =>
    `  ${name} cmd="${join(programs, `${name}d`)} -C ${server}" listen="${listen}" prefork=0\n`;
  const served = [service("http", `127.0.0.1:${port}`), service("imap", mailSocket(folder))];
  await writeFile(services, `START {\n}\nSERVICES {\n${served.join("")}}\nEVENTS {\n}\n`);
  return ["-D", "-C", server, "-M", services, "-p", join(folder, "master.pid")];
}

/** Nobody has calendars who has no mailbox, and the first sign-in to mail makes that. */
async function signInToMail(path: string, { user, password }: Login): Promise<void> {
  const socket = connect({ path });
  await once(socket, "data");
  socket.write(`a LOGIN ${user} ${password}\r\nb LOGOUT\r\n`);
  let said = "";
  socket.on("data", (chunk) => {
    said += chunk;
  });
  await once(socket, "close");
  if (!said.includes("a OK")) throw new Error(`${user} has no mailbox: ${said}`);
}

/** It is made when somebody looks at their calendars for the first time. */
async function firstCalendar(home: string, login: Login): Promise<string> {
  const headers = { authorization: basic(login), depth: "1" };
  const answer = await (await fetch(home, { method: "PROPFIND", headers })).text();
  const found = /<D:href>([^<]*Default\/)<\/D:href>/.exec(answer)?.[1];
  if (!found) throw new Error(`${login.user} has no calendar: ${answer}`);
  return new URL(found, home).href;
}
