import { type AccountState, accountState } from "./account-state";
import type { Application, ApplicationInput } from "./applications";
import { type CalendarState, calendarState } from "./calendar-state";
import { dispatcher, type LoggedRequest } from "./dispatch";
import { type Faults, faultQueue } from "./faults";
import { type Grants, grantStore, type OAuthClient } from "./grants";
import { guidOf } from "./ids";
import { signingKeys } from "./keys";
import { type Notices, noticeQueue } from "./notices";
import { listen } from "./server";
import { type Account, accountOf, type Knobs, type Mail, type World } from "./state";
import { type Subscriptions, subscriptionStore } from "./subscriptions";
import { type Counters, newThrottle } from "./throttle";
import { type AccountInput, addAccount, addRoom, newWorld, type RoomInput, tenantOf } from "./world";

export interface MicrosoftOptions {
  /** 0, the default, takes a free port. */
  port?: number;
  clients?: OAuthClient[];
  accounts?: AccountInput[];
  knobs?: Partial<Knobs>;
}

/** A fake of the Microsoft identity platform and of Graph 1.0's calendars and directory at one origin of 127.0.0.1. */
export interface MicrosoftFake {
  /** The one origin of all endpoints. */
  origin: string;
  /** The first OAuth client; a test adds its redirect address to `redirectUris`. */
  client: OAuthClient;
  knobs: Knobs;
  faults: Faults;
  /** Every request in order, parts of batches too; empty it as you like. */
  requests: LoggedRequest[];
  /** Requests per route, the most at once per mailbox, and those that came before Retry-After. */
  counters: Counters;
  /** The emails that were sent. */
  outbox: Mail[];
  /** The notifications of subscriptions, and how they are delivered. */
  notices: Notices;
  subscriptions: Subscriptions;
  /** What happens to an account. */
  account(email: string): AccountState;
  addAccount(input: AccountInput): AccountState;
  /** Adds an application to which the administrator of a tenant has consented. */
  addApplication(input: ApplicationInput): Application;
  /** Adds a group of an organization. Returns its id. */
  addGroup(email: string, members: string[]): string;
  /** Adds a room of an organization. */
  addRoom(input: RoomInput): AccountState;
  /** What happens to a calendar. */
  calendar(id: string): CalendarState;
  /** Moves the clock of the fake: tokens and subscriptions expire by it. */
  advance(milliseconds: number): void;
  /** A valid access token of an account without a sign-in; all scopes if omitted. */
  accessToken(email: string, scopes?: string[]): string;
  /** A valid refresh token of an account without a sign-in. */
  refreshToken(email: string): string;
  /** The user or an administrator removes the client's access: refreshing gets AADSTS65001, and access tokens end. */
  revokeConsent(email: string): void;
  /** A new key signs id tokens. */
  rotateKeys(): void;
  close(): Promise<void>;
}

const defaultClient: OAuthClient = {
  id: guidOf("client almanac"),
  secret: "fake~secret",
  redirectUris: ["http://127.0.0.1:3000/callback"],
};

const ALL_SCOPES = ["openid", "profile", "email", "offline_access", "User.Read", "Calendars.ReadWrite"];

/** Starts the fake. Without options it knows one client, and Ada of a company. */
export async function startMicrosoft(options: MicrosoftOptions = {}): Promise<MicrosoftFake> {
  const requests: LoggedRequest[] = [];
  const faults = faultQueue();
  const world = newWorld(options.accounts ?? [{ email: "ada@example.com", name: "Ada" }], options.knobs ?? {});
  const grants = grantStore(world, options.clients ?? [structuredClone(defaultClient)]);
  const keys = signingKeys();
  const notices = noticeQueue(() => world.knobs.noticeTimeout);
  const subscriptions = subscriptionStore(world, notices);
  world.onChange(subscriptions.notify);
  const throttle = newThrottle(world);
  const respond = dispatcher({ world, grants, keys, faults, throttle, subscriptions, requests });
  const server = await listen(options.port ?? 0, respond);
  world.origin = server.origin;
  const [client] = grants.clients;
  if (!client) throw new Error("The fake needs an OAuth client.");
  return {
    origin: server.origin,
    client,
    knobs: world.knobs,
    faults,
    requests,
    counters: throttle.counters,
    outbox: world.outbox,
    notices,
    subscriptions,
    account: (email) => accountState(world, grants, accountIn(world, email)),
    addAccount: (input) => accountState(world, grants, addAccount(world, input)),
    addApplication: grants.applications.add,
    addGroup(email, members) {
      const group = { id: guidOf(`group ${email}`), tid: tenantOf(world, email), email, members };
      world.groups.push(group);
      return group.id;
    },
    addRoom: (input) => accountState(world, grants, addRoom(world, input)),
    calendar(id) {
      const calendar = world.calendars.get(id);
      if (!calendar) throw new Error(`The fake has no calendar ${id}.`);
      return calendarState(world, calendar);
    },
    advance: world.advance,
    accessToken: (email, scopes = ALL_SCOPES) =>
      grants.issueAccessToken(grantOf(grants, accountIn(world, email), client), scopes),
    refreshToken(email) {
      const grant = grantOf(grants, accountIn(world, email), client);
      for (const scope of ALL_SCOPES) grant.scopes.add(scope);
      return grants.issueRefreshToken({ grant, ended: false }, ALL_SCOPES);
    },
    revokeConsent(email) {
      const grant = grants.of(accountIn(world, email), client);
      if (grant) grants.revoke(grant);
    },
    rotateKeys: keys.rotate,
    async close() {
      notices.close();
      await server.close();
    },
  };
}

function accountIn(world: World, email: string): Account {
  const account = accountOf(world, email);
  if (!account) throw new Error(`The fake has no account ${email}.`);
  return account;
}

const grantOf = (grants: Grants, account: Account, client: OAuthClient) =>
  grants.of(account, client) ?? grants.create(account, client);
