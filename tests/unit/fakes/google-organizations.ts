import { importPKCS8, SignJWT } from "jose";
import { type GoogleFake, startGoogle } from "../../fakes/google/google";
import type { ServiceAccountKey } from "../../fakes/google/service-accounts";

const AUTH = "https://www.googleapis.com/auth";
export const CALENDAR = `${AUTH}/calendar`;
export const USERS = `${AUTH}/admin.directory.user.readonly`;
export const MEMBERS = `${AUTH}/admin.directory.group.member.readonly`;
export const RESOURCES = `${AUTH}/admin.directory.resource.calendar.readonly`;

/** A fake that knows an organization with Ada, its administrator, and Bob, an account of gmail.test, and a service account of the organization. */
export async function organization() {
  const google = await startGoogle({
    accounts: [
      { email: "ada@example.com", name: "Ada Lovelace", isAdmin: true },
      { email: "bob@example.com", name: "Bob", aliases: ["robert@example.com"] },
      { email: "eve@gmail.test", name: "Eve" },
    ],
  });
  const scopes = [CALENDAR, USERS, MEMBERS, RESOURCES];
  return { google, service: google.addServiceAccount({ domain: "example.com", scopes }) };
}

/** A signed assertion of a service account for a user; `more` replaces claims, and `kid` the id of the key. */
export async function assertion(
  key: ServiceAccountKey,
  sub: string,
  scope: string,
  more: { [claim: string]: unknown; kid?: string } = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const { kid = key.private_key_id, ...claims } = more;
  return await new SignJWT({
    iss: key.client_email,
    sub,
    scope,
    aud: key.token_uri,
    iat: now,
    exp: now + 3600,
    ...claims,
  })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid })
    .sign(await importPKCS8(key.private_key, "RS256"));
}

/** The response of the token endpoint to an assertion. */
export async function exchanged(google: GoogleFake, signed: string) {
  const body = new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion: signed });
  const response = await fetch(`${google.origin}/token`, { method: "POST", body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** An access token of a service account for a user. */
export async function actingAs(google: GoogleFake, key: ServiceAccountKey, sub: string, scope: string) {
  const { body } = await exchanged(google, await assertion(key, sub, scope));
  return String(body.access_token);
}
