import { randomBytes } from "node:crypto";
import { createTemplate } from "../fakes/test-database";

/** What the database of each worker is a copy of, and the environment of a service. */
export default async function setUp(): Promise<() => Promise<void>> {
  process.env.ENCRYPTION_KEYS = `t1:${randomBytes(32).toString("base64")}`;
  process.env.LOG_LEVEL = "warn";
  return await createTemplate();
}
