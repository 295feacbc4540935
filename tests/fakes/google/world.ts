import type { Account, CalendarRecord, Change, Knobs, World } from "./state";

export interface AccountInput {
  email: string;
  sub?: string;
  name?: string;
  /** The domain of a Google Workspace account. */
  hd?: string;
  aliases?: string[];
  /** True for an administrator of the organization. */
  isAdmin?: boolean;
  /** The zone of the primary calendar; Europe/Berlin if omitted. */
  timeZone?: string;
}

const defaultKnobs: Knobs = {
  consent: "page",
  accessTokenLifetime: 3599,
  conference: { outcome: "success", pendingReads: 0 },
  cancelled: "by the reference",
  // [K]: the guide only says "too far in the past".
  updatedMinDays: 28,
};

export interface WatchedWorld extends World {
  advance(milliseconds: number): void;
  /** Calls back after each change. */
  onChange(listener: (change: Change) => void): void;
}

/** The state behind the fake: accounts with a primary calendar each, and a counter of changes. */
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

/** Adds an account and its primary calendar, whose id is the email address (calendarList, field `id`). */
export function addAccount(world: World, input: AccountInput): Account {
  const { email, hd, timeZone = "Europe/Berlin" } = input;
  const account: Account = {
    sub: input.sub ?? `1${String(world.accounts.length + 1).padStart(20, "0")}`,
    email,
    name: input.name ?? email.split("@")[0] ?? email,
    ...(hd && { hd }),
    aliases: input.aliases ?? [],
    isAdmin: input.isAdmin ?? false,
    isSuspended: false,
    hasCalendar: true,
    list: new Map(),
    listSyncFloor: 0,
  };
  world.accounts.push(account);
  createCalendar(world, { id: email, summary: email, timeZone, owner: email, primary: true });
  return account;
}

export interface CalendarInput {
  id?: string;
  summary: string;
  /** The account that owns it. */
  owner: string;
  timeZone?: string;
  description?: string;
  primary?: boolean;
  conferenceTypes?: string[];
  isGenerated?: boolean;
  defaultReminders?: CalendarRecord["defaultReminders"];
}

/** Creates a calendar, and its entry in the owner's list. */
export function createCalendar(world: World, input: CalendarInput): CalendarRecord {
  const owner = world.accounts.find(({ email }) => email === input.owner);
  if (!owner) throw new Error(`The fake has no account ${input.owner}.`);
  const calendar = storeCalendar(world, input);
  calendar.access.set(owner.sub, "owner");
  subscribe(world, owner, calendar.id);
  return calendar;
}

/** Stores a calendar that is in nobody's list yet. */
export function storeCalendar(world: World, input: CalendarInput): CalendarRecord {
  const calendar: CalendarRecord = {
    id: input.id ?? `c_${(world.version() + 1).toString(16).padStart(24, "0")}@group.calendar.google.com`,
    summary: input.summary,
    timeZone: input.timeZone ?? "Europe/Berlin",
    ...(input.description !== undefined && { description: input.description }),
    owner: input.owner,
    primary: input.primary ?? false,
    conferenceTypes: input.conferenceTypes ?? ["hangoutsMeet"],
    isGenerated: input.isGenerated ?? false,
    defaultReminders: input.defaultReminders ?? [{ method: "popup", minutes: 10 }],
    events: new Map(),
    updated: world.now(),
    access: new Map(),
    syncFloors: new Map(),
  };
  world.calendars.set(calendar.id, calendar);
  return calendar;
}

/** Puts a calendar into the list of an account, or back into it. */
export function subscribe(world: World, account: Account, calendarId: string): void {
  const version = world.nextVersion();
  const position = account.list.get(calendarId)?.position ?? version;
  account.list.set(calendarId, { calendarId, hidden: false, selected: true, deleted: false, position, version });
  world.changed({ listOf: account.sub });
}
