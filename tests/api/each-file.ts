import { afterAll } from "vitest";
import { forgetPartitions } from "@/server/db/request-log-partitions";
import { openPatientDatabase } from "../fakes/patient-database";
import { endFile } from "./after-file";

declare global {
  var almanacTestEnvironment: NodeJS.ProcessEnv | undefined;
}

/** What modules say once, when they are loaded, and the environment itself. */
const kept = ["almanacTestEnvironment", "almanacPrepared"];

// Vitest runs this at the beginning of each test file, in the worker that ran others before.
globalThis.almanacTestEnvironment ??= {
  ...process.env,
  // Vite puts its own BASE_URL into the environment of every test.
  BASE_URL: "http://api.almanac.localhost",
};
begin(globalThis.almanacTestEnvironment);

afterAll(() =>
  endFile(async () => {
    for (const step of (globalThis.almanacShutdown ?? []).reverse()) await step();
    await globalThis.almanacDatabase?.close();
  }),
);

function begin(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  for (const name of Object.keys(globalThis)) {
    if (name.startsWith("almanac") && !kept.includes(name)) Reflect.deleteProperty(globalThis, name);
  }
  forgetPartitions();
  openPatientDatabase();
}
