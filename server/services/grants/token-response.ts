import { ACCESS_TOKEN_SECONDS, SCOPE } from "@/server/domain/grants";
import type { TokenPair } from "@/server/store/grants/tokens";

/** The fields of every token response ("Token response"). */
export interface TokenResponse {
  token_type: "bearer";
  access_token: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
}

export function tokenResponse({ access, refresh }: TokenPair, expires_in = ACCESS_TOKEN_SECONDS): TokenResponse {
  return { token_type: "bearer", access_token: access, expires_in, refresh_token: refresh, scope: SCOPE };
}
