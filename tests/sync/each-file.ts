import { context } from "@/server/context";
import { afterFile, afterService } from "../api/after-file";
import { openPatientDatabase } from "../fakes/patient-database";
import { expectRendered } from "../fakes/rendered-events";
import { reusedDatabase } from "../fakes/reused-database";

// A database for each file, because the engine takes whatever is due in one.
const database = await reusedDatabase();
process.env.DATABASE_URL = database.url;
await context.database?.close();
openPatientDatabase();
afterService(database.close);
// Whatever a sync or a push wrote: reads would show something else.
afterFile(() => expectRendered(database.url));
