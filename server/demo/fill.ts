import type { RegisteredApplication, RegisteredApplications } from "@/server/demo/applications";
import { registerApplications } from "@/server/demo/applications";
import type { Installation } from "@/server/demo/installation";
import { playRooms } from "@/server/demo/live/play";
import { clientIdOf } from "@/server/demo/marks";
import { fillAccounts } from "@/server/demo/month/accounts";
import { fillAlerts } from "@/server/demo/month/alerts";
import { fillChannels } from "@/server/demo/month/channels";
import { pastDeliveries } from "@/server/demo/month/deliveries";
import { fillEvents } from "@/server/demo/month/events";
import type { Month } from "@/server/demo/month/month";
import { fillNotes } from "@/server/demo/month/notes";
import { fillOperators } from "@/server/demo/month/operators";
import { fillOrganizations } from "@/server/demo/month/organizations";
import { readsAfter, storePastRequests } from "@/server/demo/month/requests";
import { storeDeliveries } from "@/server/demo/month/store-deliveries";
import { DAY_MS } from "@/server/demo/month/time";
import { pastTraffic } from "@/server/demo/month/traffic";
import { fillWrites } from "@/server/demo/month/writes";
import { randomFrom } from "@/server/demo/random";
import { staff } from "@/server/demo/staff-context";
import { revokeAccount } from "@/server/store/accounts/revoke-account";

const SEED = 20_261_127;

export interface FillResult {
  registered: RegisteredApplications;
  counts: { accounts: number; events: number; deliveries: number; requests: number; rooms: number };
  /** Why no webhook was received. Null: some were. */
  missing: string | null;
}

/** Fills the running service with a month of data. `says` is called before each step. The last step marks the demo as complete. */
export async function fillDemo(
  installation: Installation,
  { root, now, says }: { root: string; now: number; says: (step: string) => void },
): Promise<FillResult> {
  const { db } = installation;
  says("Applications and operators");
  const registered = await registerApplications(installation, root, now);
  const idOf = ({ id }: RegisteredApplication) => id;
  const { northwind, lumen, harbor, quill } = registered;
  const applications = { northwind: idOf(northwind), lumen: idOf(lumen), harbor: idOf(harbor), quill: idOf(quill) };
  const month: Month = { db, now, random: randomFrom(SEED), applications };
  await fillOperators(month);
  says("Accounts and their calendars");
  const accounts = await fillAccounts(month);
  const events = await fillEvents(month, accounts);
  await fillWrites(month, accounts);
  await fillNotes(month, accounts);
  await fillOrganizations(month, accounts);
  says("A month of webhooks and alerts");
  const deliveries = pastDeliveries(month, await fillChannels(month, accounts));
  await storeDeliveries(month, deliveries);
  await fillAlerts(month);
  says("A month of requests");
  const past = [...readsAfter(deliveries, month), ...pastTraffic(month, accounts)];
  const requests = await storePastRequests(month, past);
  for (const { id, person } of accounts) {
    const isRevoked = person.profiles.some(({ condition }) => condition === "revoked");
    if (isRevoked) await revokeAccount(db, id, now - 6 * DAY_MS);
  }
  says("Rooms that are booked now, and receivers that accept, fail, hang and are gone");
  const { rooms, missing } = await playRooms(installation, harbor, { now, random: month.random });
  await staff(installation, now).applications.disable({ id: quill.id });
  const counts = { accounts: accounts.length + rooms, events, deliveries: deliveries.length, requests, rooms };
  return { registered, counts, missing };
}

/** Reports whether a whole month is there, that is, whether the last step was done. */
export function isWhole(applications: readonly { clientId: string; disabledAt: Date | null }[]): boolean {
  return applications.some(({ clientId, disabledAt }) => clientId === clientIdOf("quill") && disabledAt !== null);
}
