import { afterAll } from "vitest";
import { context } from "@/server/context";
import { forgetPartitions } from "@/server/store/request-logs/partitions";
import { freshContext } from "../fakes/fresh-context";
import { openPatientDatabase } from "../fakes/patient-database";
import { endFile } from "./after-file";

declare global {
  var almanacTestEnvironment: NodeJS.ProcessEnv | undefined;
}

// Vitest runs this at the beginning of each test file, in the worker that ran others before.
globalThis.almanacTestEnvironment ??= {
  ...process.env,
  // Vite puts its own BASE_URL into the environment of every test.
  BASE_URL: "http://api.almanac.localhost",
};
begin(globalThis.almanacTestEnvironment);

afterAll(() =>
  endFile(async () => {
    await context.services?.close();
    await context.database?.close();
  }),
);

function begin(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  freshContext();
  forgetPartitions();
  openPatientDatabase();
}
