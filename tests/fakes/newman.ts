import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

interface Report {
  run: {
    executions: { item: { name: string } }[];
    failures: { source?: { name: string }; error: { message: string } }[];
  };
}

/** Runs a Postman collection from its address with newman, as on a command line, and says which requests it sent and what failed. */
export async function newman(url: string, { clientId, clientSecret }: { clientId: string; clientSecret: string }) {
  const folder = mkdtempSync(join(tmpdir(), "almanac-newman-"));
  const report = join(folder, "report.json");
  const program = createRequire(import.meta.url).resolve("newman/bin/newman.js");
  const credentials = ["--env-var", `client_id=${clientId}`, "--env-var", `client_secret=${clientSecret}`];
  const reporters = ["--reporters", "json", "--reporter-json-export", report];
  const child = spawn(process.execPath, [program, "run", url, ...credentials, ...reporters]);
  const [[code], out, err] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  try {
    const { run } = JSON.parse(readFileSync(report, "utf8")) as Report;
    const failures = run.failures.map(({ source, error }) => `${source?.name}: ${error.message}`);
    // A request that a script sends comes right behind the one that it belongs to, under its name.
    const names = run.executions.map(({ item }) => item.name);
    return { code: code as number, sent: names.filter((name, index) => name !== names[index - 1]), failures };
  } catch {
    throw new Error(`newman wrote no report: ${out}${err}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
