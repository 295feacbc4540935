// `npm run restore-check`: restores a backup into a database of its own, and examines it.
import { runCommand } from "./run-command.mjs";

await runCommand("restore-check", ({ restoreCheck }) => restoreCheck);
