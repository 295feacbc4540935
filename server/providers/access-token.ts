export interface AccessToken {
  text: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export interface RefreshedToken {
  /** The old one, unless the provider has replaced it. */
  credential: string;
  token: AccessToken;
}
