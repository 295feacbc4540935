import type { AccountRequest } from "./account-request.js";
import { Channels } from "./channels.js";
import { Events } from "./events.js";
import { FreeBusy } from "./free-busy.js";
import type {
  Account,
  AccountResponse,
  CalendarsResponse,
  CompatibilityUserinfo,
  LinkTokenResponse,
  Profile,
  ProfilesResponse,
  SandboxChange,
  Userinfo,
} from "./generated/openapi.js";
import type { RequestOptions } from "./transport.js";

/** Calls the API on behalf of one account. Get one from `almanac.account()` and keep it while you work with the account. */
export class AccountClient {
  readonly events: Events;
  readonly freeBusy: FreeBusy;
  readonly channels: Channels;
  readonly #request: AccountRequest;

  constructor(request: AccountRequest) {
    this.events = new Events(request);
    this.freeBusy = new FreeBusy(request);
    this.channels = new Channels(request);
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

  /** For tests of your application, in application calendars alone. */
  readonly sandbox = {
    /** Plays another person, or the provider. Repeating a change has no effect, except that `event_created` adds another event. */
    change: async (change: SandboxChange, options?: RequestOptions): Promise<void> => {
      const isRepeatable = change.type !== "event_created";
      await this.#request({ method: "POST", path: "/v1/sandbox/changes", body: change, isRepeatable }, options);
    },
  };

  #get<Body>(path: string, options?: RequestOptions): Promise<Body> {
    return this.#request<Body>({ method: "GET", path, isRepeatable: true }, options);
  }
}
