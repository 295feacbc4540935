import type { OnlineMeetingProviderType } from "@microsoft/microsoft-graph-types";
import { calendarIdOf, guidOf } from "./ids";
import { type Account, type CalendarRecord, type Change, CONSUMERS, type Knobs, type World } from "./state";

export interface AccountInput {
  email: string;
  name?: string;
  /** An account of Outlook.com; of an organization if omitted. */
  kind?: "work" | "personal";
  /** The tenant of a work account; one for each domain if omitted. */
  tid?: string;
  /** The zone of the mailbox; "W. Europe Standard Time" if omitted. */
  timeZone?: string;
  /** False for an account without a mailbox. */
  hasMailbox?: boolean;
  aliases?: string[];
  /** True where administrators alone may consent. */
  needsAdmin?: boolean;
}

const defaultKnobs: Knobs = {
  consent: "page",
  wrongKind: "redirects",
  accessTokenLifetime: 3599,
  refreshGrace: null,
  reuseEndsFamily: false,
  emptyPages: false,
  tracksMasters: true,
  deletedOccurrences: "series again",
  splitsSeries: false,
  duplicates: false,
  goneCode: "SyncStateNotFound",
  meetings: { pendingReads: 0 },
  changeKeySettles: null,
  shortMonths: "last day",
  repeatedTransaction: "returned",
  zoneNames: "documented",
  mailboxConcurrency: 4,
  retryAfter: 1,
  insists: false,
  latency: 0,
  longestSubscription: 4230,
  noticeTimeout: 3000,
  linksRooms: true,
  declinedStay: false,
};

export interface WatchedWorld extends World {
  advance(milliseconds: number): void;
  /** Calls back after each change. */
  onChange(listener: (change: Change) => void): void;
}

/** The state behind the fake: accounts with a default calendar each, and a counter of changes. */
export function newWorld(accounts: AccountInput[], knobs: Partial<Knobs>): WatchedWorld {
  const listeners: ((change: Change) => void)[] = [];
  let version = 0;
  let ahead = 0;
  const world: WatchedWorld = {
    origin: "",
    now: () => Date.now() + ahead,
    knobs: { ...structuredClone(defaultKnobs), ...knobs },
    accounts: [],
    groups: [],
    calendars: new Map(),
    outbox: [],
    version: () => version,
    nextVersion: () => {
      version += 1;
      return version;
    },
    changed: (change) => {
      for (const listener of listeners) listener(change);
    },
    advance: (milliseconds) => {
      ahead += milliseconds;
    },
    onChange: (listener) => void listeners.push(listener),
  };
  for (const input of accounts) addAccount(world, input);
  return world;
}

/** The tenant of an address: that of an organization's first account with its domain. */
export function tenantOf({ accounts }: World, email: string): string {
  const domain = (address: string) => address.split("@")[1] ?? "";
  const first = accounts.find((one) => one.kind === "work" && domain(one.email) === domain(email));
  return first?.tid ?? guidOf(domain(email));
}

export interface RoomInput {
  name: string;
  /** Made of its name, at the domain of the first account, if omitted. */
  email?: string;
  capacity: number;
  building: string;
  floorLabel?: string;
}

/** Adds a room: an account with a mailbox, to which nobody signs in. */
export function addRoom(world: World, input: RoomInput): Account {
  const { name, capacity, building, floorLabel = "1" } = input;
  const domain = world.accounts[0]?.email.split("@")[1] ?? "example.com";
  const email = input.email ?? `${name.toLowerCase().replaceAll(/\W+/g, "-")}@${domain}`;
  const account = addAccount(world, { email, name });
  account.isEnabled = false;
  account.room = { placeId: guidOf(`place ${email}`), capacity, building, floorLabel };
  return account;
}

/** Adds an account and its default calendar. */
export function addAccount(world: World, input: AccountInput): Account {
  const { email, kind = "work" } = input;
  const guid = guidOf(email);
  const account: Account = {
    // [K]: the object id of a personal account begins with zeros.
    oid: kind === "work" ? guid : `00000000-0000-0000-${guid.slice(19)}`,
    tid: kind === "personal" ? CONSUMERS : (input.tid ?? tenantOf(world, email)),
    sub: Buffer.from(guidOf(`sub ${email}`))
      .toString("base64url")
      .slice(0, 43),
    email,
    name: input.name ?? email.split("@")[0] ?? email,
    kind,
    timeZone: input.timeZone ?? "W. Europe Standard Time",
    list: [],
    transactions: new Map(),
    hasMailbox: input.hasMailbox ?? true,
    aliases: input.aliases ?? [],
    isEnabled: true,
    needsAdmin: input.needsAdmin ?? false,
  };
  world.accounts.push(account);
  if (account.hasMailbox) createCalendar(world, account, { name: "Calendar", isDefault: true });
  return account;
}

export interface CalendarInput {
  name: string;
  isDefault?: boolean;
  color?: CalendarRecord["color"];
  hexColor?: string;
  /** What onlineMeetingProvider may be; Teams for Business for a work account, nothing for a personal one. */
  providers?: OnlineMeetingProviderType[];
  /** False for a calendar that the owner can only read, like that of holidays. */
  canEdit?: boolean;
}

/** Creates a calendar of an account, and its entry in the account's list. */
export function createCalendar(world: World, owner: Account, input: CalendarInput): CalendarRecord {
  const providers = input.providers ?? (owner.kind === "work" ? ["teamsForBusiness" as const] : []);
  const version = world.nextVersion();
  const calendar: CalendarRecord = {
    id: calendarIdOf(version),
    name: input.name,
    color: input.color ?? "auto",
    hexColor: input.hexColor ?? "",
    owner,
    isDefault: input.isDefault ?? false,
    providers,
    // Type Calendar: possible values include unknown.
    defaultProvider: providers[0] ?? "unknown",
    events: new Map(),
    tombstones: [],
    version,
    tokenFloor: 0,
  };
  world.calendars.set(calendar.id, calendar);
  owner.list.push({ calendar, canEdit: input.canEdit ?? true });
  return calendar;
}
