// `npm run doctor`: examines an installation.
import { runCommand } from "./run-command.mjs";

await runCommand("doctor", ({ doctor }) => doctor);
