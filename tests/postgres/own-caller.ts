import type { Database } from "@/server/db/client";
import { apiCaller } from "@/server/services/api";
import type { Calendar } from "../api/written-series";
import { storedCalendar } from "../fakes/stored";

/** The statement with which a write reads what it is decided by, of one event or many. */
export const READ_TO_WRITE = /xmin::text AS version/;

/** Calls the procedures on behalf of the calendar's account, on a database of the caller. */
export async function ownCaller({ calendarId }: Calendar, database: Database) {
  const { accountId } = await storedCalendar(calendarId);
  const account = { kind: "account" as const, email: "ada@acme.io", name: "Ada", scope: "", defaultTzid: "Etc/UTC" };
  const application = {
    applicationCalendarId: null,
    applicationId: "",
    compatibilityMode: false,
    isDisabled: false,
    plan: "standard" as const,
  };
  const bearer = { ...account, ...application, accountId: accountId as never };
  const none = () => undefined;
  const limits = {
    ...{ beforeSecret: none, rightSecret: none, wrongSecret: none },
    ...{ application: none, publicClient: none, registration: none },
  };
  const caller = apiCaller({
    ...{
      db: database,
      now: Date.now(),
      names: "almanac" as never,
      baseUrl: "",
      callbackOrigins: [],
      bearer,
      client: null,
      limits,
    },
    sandbox: { isOn: false, refusesWrites: false, holdsWrites: false },
  });
  const on = (body: object) => ({ calendar_id: calendarId, body }) as never;
  return {
    write: (body: object) => caller.events.write(on(body)),
    remove: (body: object) => caller.events.remove(on(body)),
    change: (body: object) => caller.events.changeOccurrence(on(body)),
  };
}
