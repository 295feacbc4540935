import type { AccountRequest } from "./account-request.js";
import { Availability } from "./availability.js";
import { Bookings } from "./bookings.js";
import { Changes } from "./changes.js";
import { Channels } from "./channels.js";
import { Events } from "./events.js";
import { Feeds } from "./feeds.js";
import { FreeBusy } from "./free-busy.js";
import type {
  Account,
  AccountResponse,
  CalendarsResponse,
  CompatibilityUserinfo,
  LinkTokenResponse,
  ListWritesQuery,
  Profile,
  ProfileStatus,
  ProfilesResponse,
  ReconnectLinkRequest,
  ReconnectLinkResponse,
  SandboxChange,
  Userinfo,
  Write,
  WritesResponse,
} from "./generated/openapi.js";
import { Listed } from "./paged.js";
import { queryString } from "./query.js";
import { Subscriptions } from "./subscriptions.js";
import type { RequestOptions } from "./transport.js";
import { Triggers } from "./triggers.js";

/** Calls the API on behalf of one account. Get one from `almanac.account()` and keep it while you work with the account. */
export class AccountClient {
  readonly events: Events;
  readonly freeBusy: FreeBusy;
  /** For this account alone: use `almanac.availability` for several. */
  readonly availability: Availability;
  /** For this account alone: use `almanac.bookings` for several. */
  readonly bookings: Bookings;
  readonly changes: Changes;
  readonly channels: Channels;
  readonly subscriptions: Subscriptions;
  readonly triggers: Triggers;
  readonly feeds: Feeds;
  readonly #request: AccountRequest;

  constructor(request: AccountRequest) {
    this.events = new Events(request);
    this.freeBusy = new FreeBusy(request);
    this.availability = new Availability(request);
    this.bookings = new Bookings(request);
    this.changes = new Changes(request);
    this.channels = new Channels(request);
    this.subscriptions = new Subscriptions(request);
    this.triggers = new Triggers(request);
    this.feeds = new Feeds(request);
    this.#request = request;
  }

  async get(options?: RequestOptions): Promise<Account> {
    return (await this.#get<AccountResponse>("/v1/account", options)).account;
  }

  async userinfo(options?: RequestOptions): Promise<Userinfo | CompatibilityUserinfo> {
    return await this.#get("/v1/userinfo", options);
  }

  /** The connected calendar accounts, each with its calendars. */
  readonly profiles = {
    list: async (options?: RequestOptions): Promise<Profile[]> =>
      (await this.#get<ProfilesResponse>("/v1/profiles", options)).profiles,
    /** Whether the calendar account is connected and up to date, and if not, why. */
    status: async (profileId: string, options?: RequestOptions): Promise<ProfileStatus> =>
      await this.#get(`/v1/profiles/${encodeURIComponent(profileId)}/status`, options),
  };

  /** The calendars of all profiles. */
  readonly calendars = {
    list: async (options?: RequestOptions): Promise<CalendarsResponse["calendars"]> =>
      (await this.#get<CalendarsResponse>("/v1/calendars", options)).calendars,
  };

  readonly linkTokens = {
    /** A token for `authorizationUrl({ linkToken })`: the calendar account that the user connects there joins this account. Valid once, for 5 minutes. */
    create: async (options?: RequestOptions): Promise<string> => {
      const request = { method: "POST", path: "/v1/link_tokens", isRepeatable: false } as const;
      return (await this.#request<LinkTokenResponse>(request, options)).link_token;
    },
  };

  readonly reconnectLinks = {
    /** A link to send to the user, who reconnects exactly this profile with it. It works once. */
    create: async (profileId: string, link: ReconnectLinkRequest = {}, options?: RequestOptions): Promise<string> => {
      const path = `/v1/profiles/${encodeURIComponent(profileId)}/reconnect_links`;
      const request = { method: "POST", path, body: link, isRepeatable: false } as const;
      return (await this.#request<ReconnectLinkResponse>(request, options)).url;
    },
  };

  /** What became of the events that your application wrote: the last write of each. */
  readonly writes = {
    list: (query: ListWritesQuery = {}, options?: RequestOptions): Listed<Write> =>
      new Listed(async (search = queryString(query)) => {
        const request = { method: "GET", path: "/v1/writes", search, isRepeatable: true } as const;
        const { writes, pages } = await this.#request<WritesResponse>(request, options);
        return { items: writes, pages };
      }),
  };

  /** For tests of your application, in application calendars alone. */
  readonly sandbox = {
    /** Simulates a change by another person or the provider. Repeating a change has no effect, except that `event_created` adds another event. */
    change: async (change: SandboxChange, options?: RequestOptions): Promise<void> => {
      const isRepeatable = change.type !== "event_created";
      await this.#request({ method: "POST", path: "/v1/sandbox/changes", body: change, isRepeatable }, options);
    },
  };

  #get<Body>(path: string, options?: RequestOptions): Promise<Body> {
    return this.#request<Body>({ method: "GET", path, isRepeatable: true }, options);
  }
}
