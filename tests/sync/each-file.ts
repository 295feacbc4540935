import { afterAll } from "vitest";
import { testDatabase } from "../fakes/test-database";

// Before anything else of a test file: a database of its own, because files run beside each other and the engine takes whatever is due in one.
const database = await testDatabase();
process.env.DATABASE_URL = database.url;
// Hooks run the last first, so the service has ended by then.
afterAll(() => database.close());
