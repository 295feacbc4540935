import { afterService } from "../api/after-file";
import { testDatabase } from "../fakes/test-database";

// A database for each file, because they run beside each other and the engine takes whatever is due in one.
const database = await testDatabase();
process.env.DATABASE_URL = database.url;
afterService(database.close);
