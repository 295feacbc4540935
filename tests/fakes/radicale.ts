import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Login, makeCalendar, startProgram } from "./dav-server";

export interface Radicale extends Login {
  /** The entry point, where discovery begins. */
  url: string;
  /** The user's first calendar. */
  calendar: string;
  /** Another person on the same server, with a calendar of her own. */
  second: Login & { calendar: string };
  makeCalendar(name: string, login?: Login): Promise<string>;
  /** From now on only the new password signs in; `password` is the new one. */
  changePassword(password: string): Promise<void>;
  /** Every sync token that it gave out is refused from now on. */
  forgetTokens(): Promise<void>;
  stop(): Promise<void>;
  /** Again, with the same data at the same port. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const SCHEDULING = "1, 2, 3, calendar-access, addressbook, extended-mkcol, calendar-auto-schedule";

/** Debian's Radicale on the loopback, with users who see only what is theirs. The first two have the calendar "Personal". It says that it invites guests (RFC 6638), since it stands for iCloud; with `schedules: false` it is as it comes. */
export async function startRadicale(
  user = "anna@example.com",
  others: readonly Login[] = [],
  { schedules = true } = {},
): Promise<Radicale> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-radicale-"));
  const anna = { user, password: "abcd-efgh-ijkl-mnop" };
  const ben = { user: "ben@example.com", password: "qrst-uvwx-yzab-cdef" };
  const users = join(folder, "users");
  const passwords = () =>
    writeFile(users, [anna, ben, ...others].map((one) => `${one.user}:${one.password}\n`).join(""));
  await passwords();
  await writeFile(join(folder, "config"), config(users, join(folder, "data"), schedules));
  const program = await startProgram("radicale", (port) => [
    ...["--config", join(folder, "config"), "--server-hosts", `127.0.0.1:${port}`],
  ]);
  const url = `http://127.0.0.1:${program.port}/`;
  const make = (name: string, login: Login = anna) =>
    makeCalendar(`${url}${encodeURIComponent(login.user)}/`, login, name);
  const calendar = await make("Personal");
  const second = Object.assign(ben, { calendar: await make("Personal", ben) });
  return Object.assign(anna, {
    url,
    calendar,
    second,
    makeCalendar: make,
    changePassword: async (password: string) => {
      anna.password = password;
      await passwords();
    },
    forgetTokens: () => forgetTokens(join(folder, "data")),
    stop: program.stop,
    start: program.start,
    close: async () => {
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

function config(users: string, data: string, schedules: boolean): string {
  return [
    ...["[auth]", "type = htpasswd", `htpasswd_filename = ${users}`, "htpasswd_encryption = plain", "delay = 0"],
    ...["[rights]", "type = owner_only"],
    ...["[storage]", `filesystem_folder = ${data}`],
    ...["[web]", "type = none"],
    ...(schedules ? ["[headers]", `DAV = ${SCHEDULING}`] : []),
    ...["[logging]", "level = error", ""],
  ].join("\n");
}

async function forgetTokens(data: string): Promise<void> {
  const kept = await readdir(data, { recursive: true, withFileTypes: true });
  for (const one of kept.filter(({ name, parentPath }) => name === "sync-token" && parentPath.includes("cache")))
    await rm(join(one.parentPath, one.name), { recursive: true, force: true });
}
