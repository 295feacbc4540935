import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import pg from "pg";
import { startEnvironment } from "@/tests/fakes/start-script";

export interface DemoRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

type Environment = Record<string, string | undefined>;

/** Runs `npm run demo` beside a service that runs at an origin with this environment. */
export async function runDemo(origin: string, env: Environment, ...parameters: string[]): Promise<DemoRun> {
  const { child, output } = launch(origin, env, parameters);
  const [code] = await once(child, "close");
  return { code, ...output };
}

/** Runs it until it has said something, and kills it there. */
export async function killedDemo(origin: string, env: Environment, said: string): Promise<void> {
  const { child, output } = launch(origin, env, []);
  const closed = once(child, "close");
  child.stdout?.on("data", () => output.stdout.includes(said) && child.kill("SIGKILL"));
  const [, signal] = await closed;
  if (signal !== "SIGKILL") throw new Error(`it was not killed:\n${output.stdout}\n${output.stderr}`);
}

function launch(origin: string, env: Environment, parameters: string[]) {
  const { port } = new URL(origin);
  const child: ChildProcess = spawn(process.execPath, ["server/demo/run.mjs", ...parameters], {
    env: { ...startEnvironment(port), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk) => (output.stdout += chunk));
  child.stderr?.on("data", (chunk) => (output.stderr += chunk));
  return { child, output };
}

/** What a service writes by itself, and what is never removed. */
const others = /^(_prisma_migrations|alert_looks|audit_entries|request_tallies)$/;

/** How many rows each table has, of those that have any. */
export async function rowsOfTables(url: string): Promise<Record<string, number>> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace ORDER BY 1",
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables.filter((table) => !others.test(table.name))) {
      const { rows } = await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM "${name}"`);
      if (rows[0] && rows[0].n > 0) counts[name] = rows[0].n;
    }
    return counts;
  } finally {
    await client.end();
  }
}
