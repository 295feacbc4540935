import { Almanac, type AlmanacOptions, type ResponseInfo } from "@/sdk/src/index";
import { clock } from "@/server/clock";
import type { FakeClock } from "../../fakes/clock";
import { type Application, address, newApplication } from "../service";

export interface ClientUnderTest {
  almanac: Almanac;
  application: Application;
  /** Every response, in order. */
  responses: ResponseInfo[];
  /** How long the client waited before each retry, in milliseconds. */
  waits: number[];
}

/** A client of the service under test. With the service's clock, its waits pass at once. */
export async function newClient(
  { fake, ...options }: Partial<AlmanacOptions> & { fake?: FakeClock } = {},
  owner?: Application,
): Promise<ClientUnderTest> {
  const application = owner ?? (await newApplication());
  const responses: ResponseInfo[] = [];
  const waits: number[] = [];
  const almanac = new Almanac({
    baseUrl: await address(),
    ...application,
    onResponse: (info) => responses.push(info),
    now: () => clock().now(),
    random: () => 0.5,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
      fake?.advance(milliseconds);
    },
    ...options,
  });
  return { almanac, application, responses, waits };
}

/** The calendar of an application calendar that the client opened. */
export async function openedWith({ almanac }: ClientUnderTest, name = "room") {
  const connection = await almanac.applicationCalendars.open(name);
  const account = almanac.account(connection);
  const [calendar] = await account.calendars.list();
  if (!calendar) throw new Error("an application calendar has no calendar");
  return { connection, account, calendarId: calendar.calendar_id };
}
