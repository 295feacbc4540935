// Runs Prisma's CLI for commands that need no engine. `prisma generate` requires a schema engine's file, would download it, and never runs it.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const [command = "", ...parameters] = process.argv.slice(2);
if (!["generate", "validate", "format", "version"].includes(command)) {
  process.stderr.write(
    "Only generate, validate, format and version are supported. Migrations are applied by server/db/migrations.ts.\n",
  );
  process.exit(1);
}
const child = spawn(
  process.execPath,
  [createRequire(import.meta.url).resolve("prisma/build/index.js"), command, ...parameters],
  {
    cwd: dirname(dirname(fileURLToPath(import.meta.url))),
    stdio: "inherit",
    // Set for this child only: with a false engine other commands report success and do nothing.
    env: { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: "1", ...process.env },
  },
);
child.once("exit", (code) => {
  process.exitCode = code ?? 1;
});
