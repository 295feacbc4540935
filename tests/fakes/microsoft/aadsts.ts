import { randomUUID } from "node:crypto";
import { MicrosoftError } from "./errors";

interface Known {
  /** The OAuth error; invalid_grant if omitted. */
  error?: string;
  /** What else distinguishes the error: page "Microsoft Entra error codes". */
  suberror?: string;
  /** 400 if omitted. */
  status?: number;
  text: string;
}

const again = "User interaction is required.";

/** Errors of the sign-in service by their number: the page "Microsoft Entra authentication and authorization error codes"; texts shortened. */
const known: Record<number, Known> = {
  // Sign-in and consent.
  50011: {
    error: "invalid_request",
    text: "The redirect URI specified in the request does not match the redirect URIs configured for the application.",
  },
  50020: {
    error: "invalid_request",
    text: "User account from identity provider does not exist in tenant and cannot access the application in that tenant.",
  },
  500200: {
    error: "invalid_request",
    text: "User account is a personal Microsoft account. Personal Microsoft accounts are not supported for this application.",
  },
  50034: { error: "invalid_request", text: "The user account does not exist in the directory." },
  50058: { error: "login_required", text: "A silent sign-in request was sent but no user is signed in." },
  50105: { error: "interaction_required", text: "The signed in user is not assigned to a role for the application." },
  50194: { error: "invalid_request", text: "Application is not configured as a multi-tenant application." },
  65001: { suberror: "consent_required", text: "The user or administrator has not consented to use the application." },
  65004: { error: "access_denied", text: "User declined to consent to access the app." },
  90014: { error: "invalid_request", text: "The required field is missing from the credential." },
  90094: {
    error: "consent_required",
    text: "An administrator has set a policy that prevents you from granting the application the permissions it is requesting.",
  },
  90095: {
    error: "consent_required",
    text: "Admin consent is required for the permissions requested by this application.",
  },
  900144: { error: "invalid_request", text: "The request body must contain the missing parameter." },
  70011: { error: "invalid_scope", text: "The provided value for the input parameter 'scope' is not valid." },
  // Clients.
  700016: { error: "unauthorized_client", text: "Application was not found in the directory." },
  7000215: { error: "invalid_client", status: 401, text: "Invalid client secret provided." },
  7000222: { error: "invalid_client", status: 401, text: "The provided client secret keys for app are expired." },
  // Applications. The text of 1002012: microsoft-graph-docs#14323. [K]: the numbers 700021 to 700024 and 7000218.
  1002012: {
    error: "invalid_scope",
    text: "The provided value for scope is not valid. Client credential flows must have a scope value with /.default suffixed to the resource identifier (application ID URI).",
  },
  90002: {
    error: "invalid_request",
    text: "Tenant not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud.",
  },
  7000218: {
    error: "invalid_client",
    status: 401,
    text: "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
  },
  700021: {
    error: "invalid_client",
    status: 401,
    text: "Client assertion application identifier doesn't match 'client_id' parameter.",
  },
  700023: {
    error: "invalid_client",
    status: 401,
    text: "Client assertion audience claim does not match Realm issuer.",
  },
  700024: { error: "invalid_client", status: 401, text: "Client assertion is not within its valid time range." },
  700027: { error: "invalid_client", status: 401, text: "Client assertion contains an invalid signature." },
  70003: { error: "unsupported_grant_type", text: "The app returned an unsupported grant type." },
  // Codes.
  54005: { text: "OAuth2 Authorization code was already redeemed, please retry with a new valid code." },
  70008: { text: "The provided authorization code or refresh token has expired due to inactivity." },
  501481: { text: "The Code_Verifier does not match the code_challenge supplied in the authorization request." },
  50148: {
    text: "The code_verifier does not match the code_challenge supplied in the authorization request for PKCE.",
  },
  // Refresh tokens that will not work again.
  50055: { error: "invalid_grant", text: "The password is expired." },
  50057: { text: "The user account is disabled." },
  50126: { text: "Error validating credentials due to invalid username or password." },
  50132: { text: "The credentials have been revoked due to a change of password or by an administrator." },
  50133: { text: "Session is invalid due to expiration or recent password change." },
  50173: {
    suberror: "bad_token",
    text: "The provided grant has expired due to it being revoked, a fresh auth token is needed. The user might have changed or reset their password.",
  },
  50089: { text: "Authentication failed due to flow token expired." },
  70000: { text: "The provided value for the 'refresh_token' parameter is not valid." },
  70043: {
    suberror: "bad_token",
    text: "The refresh token has expired or is invalid due to sign-in frequency checks by conditional access.",
  },
  700082: { suberror: "bad_token", text: "The refresh token has expired due to inactivity." },
  700084: {
    suberror: "bad_token",
    text: "The refresh token was issued to a single page app (SPA), and therefore has a fixed, limited lifetime.",
  },
  // Conditional access: with claims that a new sign-in has to satisfy.
  50072: {
    error: "interaction_required",
    suberror: "basic_action",
    text: `Due to a configuration change made by your administrator, you must enroll in multi-factor authentication. ${again}`,
  },
  50074: {
    error: "interaction_required",
    suberror: "basic_action",
    text: `Strong Authentication is required. ${again}`,
  },
  50076: {
    error: "interaction_required",
    suberror: "basic_action",
    text: `Due to a configuration change made by your administrator, or because you moved to a new location, you must use multi-factor authentication. ${again}`,
  },
  50079: {
    error: "interaction_required",
    suberror: "basic_action",
    text: `Due to a configuration change made by your administrator, you must enroll in multi-factor authentication. ${again}`,
  },
  50158: { error: "interaction_required", text: `External security challenge was not satisfied. ${again}` },
  53000: {
    error: "interaction_required",
    suberror: "message_only",
    text: "Device is not in required device state: compliant.",
  },
  53003: {
    error: "interaction_required",
    suberror: "message_only",
    text: "Access has been blocked by Conditional Access policies. The access policy does not allow token issuance.",
  },
  530036: { error: "interaction_required", text: `Device is missing in Microsoft Entra ID. ${again}` },
  // Passing faults.
  50196: {
    error: "invalid_grant",
    text: "The server terminated an operation because it encountered a client request loop.",
  },
  90024: {
    error: "temporarily_unavailable",
    status: 503,
    text: "Request budget exceeded. A transient error has occurred, please try again.",
  },
  90033: { error: "temporarily_unavailable", status: 503, text: "A transient error has occurred. Please try again." },
};

/** Page "Claims challenges": what a new sign-in has to bring. */
export const requestedClaims = JSON.stringify({ access_token: { acrs: { essential: true, value: "c1" } } });

export interface SignInError {
  error: string;
  suberror?: string;
  status: number;
  /** With the number, and the ids that reports of the error quote. */
  description: string;
  code: number;
}

/** An error by its number. Numbers without a name get invalid_grant. */
export function signInError(code: number, now: number): SignInError {
  const { error = "invalid_grant", suberror, status = 400, text } = known[code] ?? { text: "An error has occurred." };
  const at = new Date(now).toISOString().replace("T", " ").slice(0, 19);
  const description = `AADSTS${code}: ${text} Trace ID: ${randomUUID()} Correlation ID: ${randomUUID()} Timestamp: ${at}Z`;
  return { error, ...(suberror && { suberror }), status, description, code };
}

/** Every number that the fake knows. */
export const signInCodes = Object.keys(known).map(Number);

/** An error response of the token endpoint: sample of the page on error codes. */
export function tokenError(code: number, now: number): MicrosoftError {
  const { error, suberror, status, description } = signInError(code, now);
  return new MicrosoftError({
    status,
    headers: { "cache-control": "no-store, no-cache", pragma: "no-cache" },
    body: {
      error,
      error_description: description,
      error_codes: [code],
      timestamp: `${new Date(now).toISOString().replace("T", " ").slice(0, 19)}Z`,
      trace_id: randomUUID(),
      correlation_id: randomUUID(),
      error_uri: `https://login.microsoftonline.com/error?code=${code}`,
      ...(suberror && { suberror }),
      ...(error === "interaction_required" && { claims: requestedClaims }),
    },
  });
}
