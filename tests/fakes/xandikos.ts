import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { basic, type Login, makeCalendar, startProgram } from "./dav-server";
import { plain, startFront } from "./forward";

export interface Xandikos extends Login {
  url: string;
  /** The user's first calendar. */
  calendar: string;
  makeCalendar(name: string): Promise<string>;
  changePassword(password: string): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Debian's Xandikos on the loopback. It knows no passwords: a front before it asks for one. */
export async function startXandikos(): Promise<Xandikos> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-xandikos-"));
  const anna = { user: "anna@example.com", password: "abcd-efgh-ijkl-mnop" };
  const program = await startProgram("xandikos", (port) => [
    ...["-d", folder, "--autocreate", "--current-user-principal", "/anna/"],
    ...["-l", "127.0.0.1", "-p", String(port)],
  ]);
  const front = await startFront(
    () => program.port,
    async ({ headers }, handOn) => {
      if (headers.authorization === basic(anna)) return handOn();
      return plain(401, { "www-authenticate": 'Basic realm="Xandikos"' });
    },
  );
  const url = `http://127.0.0.1:${front.port}/`;
  const make = (name: string) => makeCalendar(`${url}anna/calendars/`, anna, name);
  return Object.assign(anna, {
    url,
    calendar: await make("Personal"),
    makeCalendar: make,
    changePassword: async (password: string) => {
      anna.password = password;
    },
    stop: program.stop,
    start: program.start,
    close: async () => {
      await front.close();
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
  });
}
