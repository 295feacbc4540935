import { type AccountState, accountState } from "./account-state";
import { authorize } from "./authorize";
import { callApi } from "./calendar-api";
import { type CalendarState, calendarState } from "./calendar-state";
import { type Channel, type Channels, channelStore } from "./channels";
import { callDirectory } from "./directory-api";
import { knownErrors, type WireResponse } from "./errors";
import { type FaultQueue, type Faults, faultQueue } from "./faults";
import { type Grants, grantStore, type OAuthClient } from "./grants";
import { certs } from "./keys";
import { type NoticeQueue, type Notices, noticeQueue } from "./notices";
import { authorized, bearer, discovery, userinfo } from "./openid";
import type { WireRequest } from "./request";
import { addRoom, type RoomInput } from "./rooms";
import { grantedName } from "./scopes";
import { type LoggedRequest, listen } from "./server";
import {
  type ServiceAccount,
  type ServiceAccountInput,
  type ServiceAccounts,
  serviceAccountStore,
} from "./service-accounts";
import { type Account, accountOf, type Knobs, type Mail, type World } from "./state";
import { revoke, token } from "./tokens";
import { type AccountInput, newWorld, type WatchedWorld } from "./world";

export interface GoogleOptions {
  /** 0, the default, takes a free port. */
  port?: number;
  clients?: OAuthClient[];
  accounts?: AccountInput[];
  knobs?: Partial<Knobs>;
}

/** A fake of Google's OAuth endpoints, Calendar API v3 and Directory API v1 at one origin of 127.0.0.1. */
export interface GoogleFake {
  /** The one origin of all endpoints. */
  origin: string;
  /** The first OAuth client; a test adds its redirect address to `redirectUris`. */
  client: OAuthClient;
  knobs: Knobs;
  faults: Faults;
  /** Every request in order; empty it as you like. */
  requests: LoggedRequest[];
  /** The emails that were sent. */
  outbox: Mail[];
  /** The notifications of channels, and how they are delivered. */
  notices: Notices;
  /** Every channel that was created. */
  channels: Channel[];
  /** What the user of an account does at Google. */
  account(email: string): AccountState;
  /** What happens to a calendar at Google. */
  calendar(id: string): CalendarState;
  /** Adds a service account to which the administrator of an organization has delegated these scopes. */
  addServiceAccount(input: ServiceAccountInput): ServiceAccount;
  /** Adds a group of an organization; its members are the addresses of users and of other groups. */
  addGroup(email: string, members: string[]): void;
  /** Adds a room of an organization. Its calendar's id is its address. */
  addRoom(input: RoomInput): CalendarState;
  /** Moves the clock of the fake: tokens and channels expire by it. */
  advance(milliseconds: number): void;
  /** A valid access token of an account without a consent page; all scopes if omitted. */
  accessToken(email: string, scopes?: string[]): string;
  /** The user removes the client's access at myaccount.google.com: all its tokens are invalid. */
  revokeConsent(email: string): void;
  close(): Promise<void>;
}

const defaultClient: OAuthClient = {
  id: "almanac.apps.googleusercontent.com",
  secret: "GOCSPX-fake",
  redirectUris: ["http://127.0.0.1:3000/callback"],
};

const ALL_SCOPES = ["openid", "email", "profile", "https://www.googleapis.com/auth/calendar"];

/** Starts the fake. Without options it knows one client and one account, ada@example.com. */
export async function startGoogle(options: GoogleOptions = {}): Promise<GoogleFake> {
  const requests: LoggedRequest[] = [];
  const faults = faultQueue();
  const world = newWorld(options.accounts ?? [{ email: "ada@example.com", name: "Ada" }], options.knobs ?? {});
  const grants = grantStore(world, options.clients ?? [structuredClone(defaultClient)]);
  const notices = noticeQueue();
  const channels = channelStore(world, notices);
  world.onChange(channels.notify);
  const serviceAccounts = serviceAccountStore(world);
  const route = (request: WireRequest) => routeOf({ world, grants, serviceAccounts, channels }, request);
  const server = await listen({ port: options.port ?? 0, faults, requests, route });
  world.origin = server.origin;
  return fake({ world, grants, serviceAccounts, faults, requests, notices, channels, close: server.close });
}

interface Parts {
  world: WatchedWorld;
  grants: Grants;
  serviceAccounts: ServiceAccounts;
  faults: FaultQueue;
  requests: LoggedRequest[];
  notices: NoticeQueue;
  channels: Channels;
  close(): Promise<void>;
}

function fake({ world, grants, serviceAccounts, faults, requests, notices, channels, close }: Parts): GoogleFake {
  const [client] = grants.clients;
  if (!client) throw new Error("The fake needs an OAuth client.");
  const grantOf = (account: Account) => grants.of(account, client) ?? grants.create(account, client);
  return {
    origin: world.origin,
    client,
    knobs: world.knobs,
    faults,
    requests,
    outbox: world.outbox,
    notices,
    channels: channels.all,
    account: (email) => accountState(world, accountIn(world, email)),
    calendar(id) {
      const calendar = world.calendars.get(id);
      if (!calendar) throw new Error(`The fake has no calendar ${id}.`);
      return calendarState(world, calendar);
    },
    addServiceAccount: serviceAccounts.add,
    addGroup(email, members) {
      // [K]: the ids of groups are of this length.
      world.groups.push({ id: `0${String(world.groups.length + 1).padStart(14, "0")}`, email, members });
    },
    addRoom: (input) => calendarState(world, addRoom(world, input)),
    advance: world.advance,
    accessToken: (email, scopes = ALL_SCOPES) =>
      grants.issueAccessToken(grantOf(accountIn(world, email)), scopes.map(grantedName)),
    revokeConsent(email) {
      const grant = grants.of(accountIn(world, email), client);
      if (grant) grants.revoke(grant);
    },
    async close() {
      notices.close();
      await close();
    },
  };
}

function accountIn(world: World, email: string): Account {
  const account = accountOf(world, email);
  if (!account) throw new Error(`The fake has no account ${email}.`);
  return account;
}

/** Every path of the fake. */
function routeOf(
  { world, grants, serviceAccounts, channels }: Pick<Parts, "world" | "grants" | "serviceAccounts" | "channels">,
  request: WireRequest,
): WireResponse {
  const { method, url } = request;
  const route = `${method} ${url.pathname}`;
  if (route === "GET /.well-known/openid-configuration") return { status: 200, body: discovery(world.origin) };
  if (route === "GET /oauth2/v3/certs") return { status: 200, body: certs() };
  if (/^(GET|POST) \/oauth2\/v3\/userinfo$/.test(route)) return userinfo(world, grants, request);
  if (/^(GET|POST) \/o\/oauth2\/v2\/auth$/.test(route)) return authorize(world, grants, request);
  if (route === "POST /token") return token(world, grants, serviceAccounts, request);
  if (route === "POST /revoke") return revoke(grants, request);
  if (url.pathname.startsWith("/admin/directory/v1/")) {
    return callDirectory(world, request, () => {
      const { grant, scopes } = bearer(world, grants, request);
      return { account: grant.account, scopes };
    });
  }
  if (!url.pathname.startsWith("/calendar/v3/")) throw knownErrors.notFound();
  return callApi(world, channels, request, (scopes) => authorized(world, grants, request, scopes).grant.account);
}
