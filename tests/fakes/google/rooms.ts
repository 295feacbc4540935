import { createHash } from "node:crypto";
import { type CalendarRecord, domainOf, type Resource, type World } from "./state";
import { storeCalendar } from "./world";

export interface RoomInput {
  name: string;
  capacity: number;
  /** The name of the building. */
  building: string;
  floor?: string;
  /** OTHER for a thing that is no room. */
  category?: Resource["category"];
  /** The domain of the organization; that of the first account if omitted. */
  domain?: string;
  timeZone?: string;
}

/** Adds a room with its calendar, which is in nobody's list. Returns its calendar. */
export function addRoom(world: World, input: RoomInput): CalendarRecord {
  const { name, capacity, building, floor = "1", category = "CONFERENCE_ROOM" } = input;
  const [first] = world.accounts;
  const domain = input.domain ?? (first ? domainOf(first) : "");
  const digest = createHash("sha256").update(`${domain} ${building} ${name}`).digest("hex");
  const email = `c_${digest.slice(0, 44)}@resource.calendar.google.com`;
  // [K]: an id of an eleven-digit number.
  const id = String(10 ** 10 + (Number.parseInt(digest.slice(0, 12), 16) % (9 * 10 ** 10)));
  const timeZone = input.timeZone !== undefined && { timeZone: input.timeZone };
  const calendar = storeCalendar(world, { id: email, summary: name, owner: email, ...timeZone });
  calendar.resource = { id, name, category, capacity, building, floor, domain };
  return calendar;
}
