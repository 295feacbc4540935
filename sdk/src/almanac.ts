import { AccountClient } from "./account.js";
import { type AccountRequest, accountRequests } from "./account-request.js";
import { applicationRequests } from "./application-request.js";
import { Availability } from "./availability.js";
import { Bookings } from "./bookings.js";
import { checkOptions } from "./check-options.js";
import type {
  ApplicationCalendarResponse,
  AuthorizeQuery,
  ImportRequest,
  LinkingProfile,
  TokenResponse,
} from "./generated/openapi.js";
import { Organizations } from "./organizations.js";
import { queryString } from "./query.js";
import { type ResponseInfo, type Settings, sleep } from "./settings.js";
import { AccountTokens, type StoredTokens, type TokenStore, type Tokens } from "./tokens.js";
import { type RequestOptions, send } from "./transport.js";
import { type Authorization, type Delivery, type VerifyInput, verifyAuthorization, verifyWebhook } from "./webhooks.js";

export interface AlmanacOptions {
  /** Where the API is, such as `https://api.acme.io`. */
  baseUrl: string;
  /** Where users open the connect page, if that is another host. */
  appUrl?: string;
  clientId: string;
  clientSecret: string;
  /** During a rotation: the other active secrets of the application, for the verification of webhooks. */
  otherClientSecrets?: readonly string[];
  /** For each attempt. Default: 30 seconds. */
  timeoutMs?: number;
  /** Default: 3. */
  maxRetries?: number;
  /** A request whose Retry-After is longer fails at once. Default: 60 seconds. */
  maxRetryAfterMs?: number;
  /** Called with every response. */
  onResponse?: (info: ResponseInfo) => void;
  fetch?: typeof globalThis.fetch;
  /** For tests: the time in milliseconds since 1970. */
  now?: () => number;
  /** For tests: how retries wait. */
  sleep?: Settings["sleep"];
  /** For tests: between 0 and 1. */
  random?: () => number;
}

export interface AuthorizationUrlInput {
  /** Exactly as registered. */
  redirectUri: string;
  /** Returned unchanged. Compare it before you exchange the code. */
  state: string;
  /** Skips the chooser of providers. */
  providerName?: AuthorizeQuery["provider_name"];
  /** Of `account.linkTokens.create()`. */
  linkToken?: string;
  /** Asks for less: to read events, or to see free/busy only. Omitted: everything. */
  access?: AuthorizeQuery["access"];
  scope?: string;
  /** Of `createPkce()`. */
  codeChallenge?: string;
  /** Language of the page, such as `de`. */
  locale?: string;
}

/** The tokens of a new connection, and whose they are. */
export interface Connection extends Tokens {
  accountId: string;
  profile: LinkingProfile;
}

/** The client of one application. Create one and keep it. */
export class Almanac {
  readonly #options: AlmanacOptions;
  readonly #settings: Settings;
  readonly #ofApplication: AccountRequest;
  readonly #refreshing = new Map<string, Promise<Tokens>>();
  /** For any accounts of the application. */
  readonly availability: Availability;
  /** For any accounts of the application. */
  readonly bookings: Bookings;
  readonly organizations: Organizations;

  /** Throws a ConfigurationError if a URL, the client id or the client secret is missing or is no URL. */
  constructor(options: AlmanacOptions) {
    checkOptions(options);
    this.#options = options;
    this.#settings = {
      baseUrl: withoutSlash(options.baseUrl),
      fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
      timeoutMs: options.timeoutMs ?? 30_000,
      maxRetries: options.maxRetries ?? 3,
      maxRetryAfterMs: options.maxRetryAfterMs ?? 60_000,
      onResponse: options.onResponse,
      now: options.now ?? Date.now,
      sleep: options.sleep ?? sleep,
      random: options.random ?? Math.random,
    };
    this.#ofApplication = applicationRequests(this.#settings, options);
    this.availability = new Availability(this.#ofApplication);
    this.bookings = new Bookings(this.#ofApplication);
    this.organizations = new Organizations(this.#ofApplication);
  }

  /** Where to send the user's browser to connect a calendar account. */
  authorizationUrl(input: AuthorizationUrlInput): string {
    const query: AuthorizeQuery = {
      response_type: "code",
      client_id: this.#options.clientId,
      redirect_uri: input.redirectUri,
      state: input.state,
      scope: input.scope,
      provider_name: input.providerName,
      link_token: input.linkToken,
      access: input.access,
      ...(input.codeChallenge && { code_challenge: input.codeChallenge, code_challenge_method: "S256" }),
      locale: input.locale,
    };
    return `${withoutSlash(this.#options.appUrl || this.#options.baseUrl)}/oauth/authorize${queryString(query)}`;
  }

  /** The tokens for the `code` of the redirect. A code is valid once, for 10 minutes. */
  async exchangeCode(
    { code, redirectUri, codeVerifier }: { code: string; redirectUri: string; codeVerifier?: string },
    options?: RequestOptions,
  ): Promise<Connection> {
    const grant = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: codeVerifier };
    return this.#connection(await this.#token(grant, false, options));
  }

  /** A new access token. Accounts do this themselves; concurrent calls share one request. */
  refresh(refreshToken: string): Promise<Tokens> {
    const underway = this.#refreshing.get(refreshToken);
    if (underway) return underway;
    const begun = this.#token({ grant_type: "refresh_token", refresh_token: refreshToken }, true)
      .then((response) => this.#tokens(response))
      .finally(() => this.#refreshing.delete(refreshToken));
    this.#refreshing.set(refreshToken, begun);
    return begun;
  }

  /** Ends the connection that the access or refresh token belongs to: all of its tokens, channels and stored events. */
  async revoke(token: string, options?: RequestOptions): Promise<void> {
    await this.#post("/oauth/token/revoke", { token }, true, options);
  }

  readonly applicationCalendars = {
    /** Opens a calendar that Almanac hosts. The same id always opens the same calendar. */
    open: async (
      applicationCalendarId: string,
      options?: RequestOptions,
    ): Promise<Connection & { applicationCalendarId: string }> => {
      const body = { application_calendar_id: applicationCalendarId };
      const response = (await this.#post(
        "/v1/application_calendars",
        body,
        true,
        options,
      )) as ApplicationCalendarResponse;
      return { ...this.#connection(response), applicationCalendarId: response.application_calendar_id };
    },
  };

  readonly profiles = {
    /** Connects the account of a user who gave a refresh token to the OAuth client that Almanac is configured with. */
    import: async (
      { providerName, refreshToken, accountId }: { providerName: string; refreshToken: string; accountId?: string },
      options?: RequestOptions,
    ): Promise<Connection> => {
      const body: ImportRequest = { provider_name: providerName, refresh_token: refreshToken, sub: accountId };
      const request = { method: "POST", path: "/v1/profiles/import", body, isRepeatable: true } as const;
      return this.#connection(await this.#ofApplication<TokenResponse>(request, options));
    },
  };

  /** Calls on behalf of an account. Pass a store, and renewed tokens are saved to it. */
  account(tokens: StoredTokens | TokenStore): AccountClient {
    const store = "load" in tokens ? tokens : { load: () => tokens, save: () => {} };
    const refresh = (refreshToken: string) => this.refresh(refreshToken);
    return new AccountClient(
      accountRequests(this.#settings, new AccountTokens({ store, refresh, now: this.#settings.now })),
    );
  }

  readonly webhooks = {
    /** The delivery, once it is certain that Almanac sent it. Throws a WebhookVerificationError otherwise. */
    verify: (input: Omit<VerifyInput, "clientSecret" | "now">): Promise<Delivery> => {
      const { clientSecret, otherClientSecrets = [] } = this.#options;
      return verifyWebhook({ ...input, clientSecret: [clientSecret, ...otherClientSecrets], now: this.#settings.now });
    },
    /** What came of a mailbox that `organizations.authorize` asked for. Throws a WebhookVerificationError otherwise. */
    verifyAuthorization: (input: Pick<VerifyInput, "body" | "headers">): Promise<Authorization> => {
      const { clientSecret, otherClientSecrets = [] } = this.#options;
      return verifyAuthorization({ ...input, clientSecret: [clientSecret, ...otherClientSecrets] });
    },
  };

  async #token(grant: object, isRepeatable: boolean, options?: RequestOptions): Promise<TokenResponse> {
    return (await this.#post("/oauth/token", grant, isRepeatable, options)) as TokenResponse;
  }

  #post(path: string, fields: object, isRepeatable: boolean, options?: RequestOptions): Promise<unknown> {
    const { clientId: client_id, clientSecret: client_secret } = this.#options;
    const body = { client_id, client_secret, ...fields };
    return send(this.#settings, { method: "POST", path, body, isRepeatable }, options);
  }

  #tokens({ access_token, refresh_token, expires_in, scope }: TokenResponse): Tokens {
    const expiresAt = this.#settings.now() + expires_in * 1_000;
    return { accessToken: access_token, refreshToken: refresh_token, expiresAt, scope };
  }

  #connection(response: TokenResponse): Connection {
    const { account_id, linking_profile } = response as Required<TokenResponse>;
    return { ...this.#tokens(response), accountId: account_id, profile: linking_profile };
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
