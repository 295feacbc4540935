import { table } from "@/components/docs/written/parts";
import { type AuthorizeError, authorizeErrors, type OAuthError, oauthErrors } from "@/server/domain/oauth-errors";

interface Advice {
  means: string;
  advice: string;
}

/** Those that are returned. */
const atEndpoints: Partial<Record<OAuthError, Advice>> = {
  invalid_client: {
    means: "The client id is unknown, or the secret is wrong or retired.",
    advice: "Check both in the dashboard, under **Applications**. You can add a new secret there.",
  },
  invalid_grant: {
    means:
      "The code was already used, has expired or was issued for another redirect URI, or the refresh token was revoked.",
    advice: "Ask the user to reconnect.",
  },
  invalid_request: { means: "A field is missing, or the body can't be parsed.", advice: "Fix the request." },
  unsupported_grant_type: {
    means: "The grant type is not `authorization_code` or `refresh_token`.",
    advice: "Use one of the two.",
  },
};

const onRedirect: Record<AuthorizeError, Advice> = {
  access_denied: {
    means:
      "The user cancelled, the link token is unknown, used or expired, or the calendar account already belongs to another account of your application.",
    advice: "Offer to connect again. For a link token, create a new one.",
  },
  unsupported_response_type: { means: "`response_type` is not `code`.", advice: "Fix the link." },
  invalid_scope: {
    means: "`scope` names a scope that doesn't exist, or separates scopes by anything but single spaces.",
    advice: "Fix the link, or omit `scope`.",
  },
  invalid_request: {
    means: "`code_challenge` is malformed, or `code_challenge_method` is not `S256`.",
    advice: "Fix the link.",
  },
};

/** Lists the errors of the OAuth endpoints, and what to do about each. */
export function endpointErrors(): string {
  const reserved = oauthErrors.filter((name) => atEndpoints[name] === undefined).map((name) => `\`${name}\``);
  return `${errorTable("`error`", oauthErrors, atEndpoints)}\n\nReserved by RFC 6749, not returned: ${reserved.join(", ")}.`;
}

/**
 * Lists the errors with which the connect page sends users back. The first column's head distinguishes this table from
 * the other.
 */
export function redirectErrors(): string {
  return errorTable("`error` on the redirect", authorizeErrors, onRedirect);
}

function errorTable<Name extends string>(
  head: string,
  names: readonly Name[],
  adviceFor: Partial<Record<Name, Advice>>,
): string {
  const rows = names.flatMap((name) => {
    const advice = adviceFor[name];
    return advice ? [[`\`${name}\``, advice.means, advice.advice]] : [];
  });
  return table({ head: [head, "Meaning", "What to do"], rows });
}
