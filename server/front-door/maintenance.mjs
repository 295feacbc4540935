// `npm run maintenance`: makes the service read-only, or has an application's requests refused, and ends it.
import { runCommand } from "./run-command.mjs";

await runCommand("maintenance", ({ maintenance }) => maintenance);
