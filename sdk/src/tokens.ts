/** What an application stores for each account, encrypted at rest. Plain JSON. */
export interface Tokens {
  accessToken: string;
  /** Never changes. */
  refreshToken: string;
  /** When the access token expires, in milliseconds since 1970. */
  expiresAt: number;
  scope: string;
}

/** What the client needs of it: with the refresh token alone it gets the rest. */
export type StoredTokens = Pick<Tokens, "refreshToken"> & Partial<Tokens>;

/** Where an application keeps the tokens of one account. */
export interface TokenStore {
  /** Called once, before the first request. */
  load(): StoredTokens | Promise<StoredTokens>;
  /** Called after each refresh, with whatever else `load` returned. Requests wait for it. */
  save(tokens: Tokens): void | Promise<void>;
}

/** A token is renewed so long before it expires, for a request that is on its way then. */
const EARLY_MS = 60_000;

interface Renewal {
  store: TokenStore;
  refresh: (refreshToken: string) => Promise<Tokens>;
  now: () => number;
}

/** The tokens of one account: loaded once, and renewed by one request however many wait for it. */
export class AccountTokens {
  readonly #renewal: Renewal;
  #stored: Promise<StoredTokens> | undefined;
  #renewing: Promise<string> | undefined;

  constructor(renewal: Renewal) {
    this.#renewal = renewal;
  }

  /** An access token that has not expired. */
  async current(): Promise<string> {
    const { accessToken, expiresAt = Number.POSITIVE_INFINITY } = await this.#load();
    if (accessToken !== undefined && expiresAt - EARLY_MS > this.#renewal.now()) return accessToken;
    return await this.#renew();
  }

  /** Another access token than the one that was rejected. */
  async insteadOf(rejected: string): Promise<string> {
    const { accessToken } = await this.#load();
    return accessToken !== undefined && accessToken !== rejected ? accessToken : await this.#renew();
  }

  #load(): Promise<StoredTokens> {
    this.#stored ??= Promise.resolve(this.#renewal.store.load()).catch((error) => {
      this.#stored = undefined;
      throw error;
    });
    return this.#stored;
  }

  #renew(): Promise<string> {
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renewOnce(): Promise<string> {
    const stored = await this.#load();
    const renewed = { ...stored, ...(await this.#renewal.refresh(stored.refreshToken)) };
    this.#stored = Promise.resolve(renewed);
    await this.#renewal.store.save(renewed);
    return renewed.accessToken;
  }
}
