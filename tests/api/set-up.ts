import { randomBytes } from "node:crypto";
import { createTemplate, testDatabase } from "../fakes/test-database";

/** One migrated, empty database for all API tests. The tests reach it by DATABASE_URL, as the service does. */
export default async function setUp(): Promise<() => Promise<void>> {
  const dropTemplate = await createTemplate();
  const { url, close } = await testDatabase();
  process.env.DATABASE_URL = url;
  process.env.ENCRYPTION_KEYS = `t1:${randomBytes(32).toString("base64")}`;
  process.env.LOG_LEVEL = "warn";
  return async () => {
    await close();
    await dropTemplate();
  };
}
