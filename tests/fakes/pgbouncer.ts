import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@/tests/fakes/free-port";
import { findPgbouncer } from "@/tests/postgres/pgbouncer.mjs";
import { until } from "@/tests/rig/until";

export interface Pooler {
  /** The address of the database, through the pooler. */
  url: string;
  close(): Promise<void>;
}

/** It refuses to run as root. Debian's user and group "nobody" and "nogroup". */
const NOBODY = 65_534;

/** Debian's PgBouncer in front of the server of an address. */
export async function startPgbouncer(address: string, mode: "session" | "transaction"): Promise<Pooler> {
  const program = findPgbouncer();
  if (!program)
    throw new Error(
      "PgBouncer is missing: npm run test:all -- --install fetches it from Debian's packages (tests/postgres/pgbouncer.mjs).",
    );
  const there = new URL(address);
  const folder = await mkdtemp(join(tmpdir(), "almanac-pgbouncer-"));
  const port = await freePort();
  const user = decodeURIComponent(there.username);
  const settings = [
    "[databases]",
    `* = host=${there.hostname} port=${there.port || 5432}`,
    "[pgbouncer]",
    `pool_mode = ${mode}`,
    `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = trust\nauth_file = ${join(folder, "users.txt")}`,
    "ignore_startup_parameters = options,extra_float_digits\ndefault_pool_size = 20\nmax_client_conn = 200",
  ];
  await writeFile(join(folder, "pgbouncer.ini"), settings.join("\n"));
  await writeFile(join(folder, "users.txt"), `"${user}" "${decodeURIComponent(there.password)}"\n`);
  await chmod(folder, 0o755);
  const as = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(program, [join(folder, "pgbouncer.ini")], { stdio: "ignore", ...as });
  await until(() => isListening(port), { within: 20_000, what: "PgBouncer" });
  there.host = `127.0.0.1:${port}`;
  return { url: there.href, close: () => end(child, folder) };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port }, () => resolve(true));
    socket.on("error", () => resolve(false)).on("connect", () => socket.destroy());
  });
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
  await rm(folder, { recursive: true });
}
