import { afterFile, afterService } from "../api/after-file";
import { openPatientDatabase } from "../fakes/patient-database";
import { expectRendered } from "../fakes/rendered-events";
import { testDatabase } from "../fakes/test-database";

// A database for each file, because they run beside each other and the engine takes whatever is due in one.
const database = await testDatabase();
process.env.DATABASE_URL = database.url;
await globalThis.almanacDatabase?.close();
openPatientDatabase();
afterService(database.close);
// Whatever a sync or a push wrote: reads would show something else.
afterFile(() => expectRendered(database.url));
