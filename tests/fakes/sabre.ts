import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Login, makeCalendar, startProgram } from "./dav-server";

export interface Sabre extends Login {
  /** The entry point, where discovery begins. Users sign in by Digest alone. */
  url: string;
  /** The user's calendar, at an address of the same server that takes Basic: for another client. */
  calendar: string;
  makeCalendar(name: string): Promise<string>;
  changePassword(password: string): Promise<void>;
  close(): Promise<void>;
}

const program = resolve(import.meta.dirname, "sabre-server.php");

/** Debian's sabre/dav, the server in Baikal and Nextcloud, on the loopback and on SQLite. It has no sync tokens and invites nobody. */
export async function startSabre(user = "anna@example.com"): Promise<Sabre> {
  const folder = await mkdtemp(join(tmpdir(), "almanac-sabre-"));
  const anna: Login = { user, password: "abcd-efgh-ijkl-mnop" };
  const [database, password] = [join(folder, "db.sqlite"), join(folder, "password")];
  await writeFile(password, anna.password);
  const made = spawnSync("php", ["-r", schema, database, user], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`no database: ${made.error ?? made.stderr}`);
  const env = { SABRE_DATABASE: database, SABRE_USER: user, SABRE_PASSWORD_FILE: password };
  const serving = (scheme: string) =>
    startProgram("php", (port) => ["-S", `127.0.0.1:${port}`, program], { env: { ...env, SABRE_SCHEME: scheme } });
  const [digest, basic] = await Promise.all([serving("digest"), serving("basic")]);
  const home = `http://127.0.0.1:${basic.port}/dav.php/calendars/${encodeURIComponent(user)}/`;
  return Object.assign(anna, {
    url: `http://127.0.0.1:${digest.port}/dav.php/`,
    calendar: await makeCalendar(home, anna, "Personal"),
    makeCalendar: (name: string) => makeCalendar(home, anna, name),
    changePassword: async (changed: string) => {
      anna.password = changed;
      await writeFile(password, changed);
    },
    close: async () => {
      await Promise.all([digest.stop(), basic.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  });
}

/** As in the package's examples. */
const schema = `
$data = new PDO('sqlite:' . $argv[1]);
$data->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
$data->exec('CREATE TABLE calendarobjects (id integer primary key asc, calendardata blob, uri text, calendarid integer, lastmodified integer, etag text, size integer, componenttype text, firstoccurence integer, lastoccurence integer)');
$data->exec('CREATE TABLE calendars (id integer primary key asc, principaluri text, displayname text, uri text, ctag integer, description text, calendarorder integer, calendarcolor text, timezone text, components text, transparent bool)');
$data->exec('CREATE TABLE principals (id integer primary key asc, uri text, email text, displayname text, vcardurl text, UNIQUE(uri))');
$data->exec('CREATE TABLE groupmembers (id integer primary key asc, principal_id integer, member_id integer, UNIQUE(principal_id, member_id))');
$data->prepare('INSERT INTO principals (uri, email, displayname) VALUES (?, ?, ?)')->execute(['principals/' . $argv[2], $argv[2], 'Anna']);
`;
