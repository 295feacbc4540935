import { createHash, X509Certificate } from "node:crypto";
import { importPKCS8, SignJWT } from "jose";
import type { Application } from "../../fakes/microsoft/applications";
import type { MicrosoftFake } from "../../fakes/microsoft/microsoft";
import { adaOfMicrosoft, clientWith } from "./microsoft-client";

const ROLES = [
  "Calendars.ReadWrite",
  "MailboxSettings.Read",
  "User.Read.All",
  "GroupMember.Read.All",
  "Place.Read.All",
];

/** A fake that knows Ada and Bob of a company, Zoe of another one, and an application of the company with a client. */
export async function organization(roles = ROLES) {
  const { microsoft } = await adaOfMicrosoft({
    accounts: [
      { email: "ada@example.com", name: "Ada Lovelace", aliases: ["countess@example.com"] },
      { email: "bob@example.com", name: "Bob O'Neill" },
      { email: "zoe@other.test", name: "Zoe" },
    ],
  });
  const application = microsoft.addApplication({ roles });
  return { microsoft, application, api: await clientOf(microsoft, application) };
}

/** Microsoft's own client with a token of the application. */
export async function clientOf(microsoft: MicrosoftFake, application: Application) {
  const { body } = await asked(microsoft, application);
  return clientWith(microsoft, String(body.access_token));
}

/** The response of the token endpoint; `more` replaces parameters, and undefined leaves one out. */
export async function asked(
  microsoft: MicrosoftFake,
  { tenant, clientId, clientSecret }: Application,
  more: Record<string, string | undefined> = {},
  at = tenant,
) {
  const all = {
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
    scope: "https://graph.microsoft.com/.default",
    ...more,
  };
  const given = Object.entries(all).filter((one): one is [string, string] => one[1] !== undefined);
  const address = `${microsoft.origin}/${at}/oauth2/v2.0/token`;
  const response = await fetch(address, { method: "POST", body: new URLSearchParams(given) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

export interface AssertionInput {
  alg?: "RS256" | "PS256";
  /** Replaces members of the header. */
  header?: Record<string, string | undefined>;
  claims?: Record<string, unknown>;
  privateKey?: string;
}

/** The parameters of a request with a signed assertion instead of the secret. */
export async function withAssertion(
  { origin }: MicrosoftFake,
  { tenant, clientId, certificate }: Application,
  { alg = "PS256", header, claims, privateKey = certificate.privateKey }: AssertionInput = {},
) {
  const now = Math.floor(Date.now() / 1000);
  const all = {
    aud: `${origin}/${tenant}/oauth2/v2.0/token`,
    iss: clientId,
    sub: clientId,
    jti: "b1d5ae1b-5a5e-4b7f-9d8a-0f6f3f6d5c11",
    nbf: now,
    exp: now + 300,
    ...claims,
  };
  const named = header ?? { "x5t#S256": thumbprint(certificate.certificate, "sha256") };
  const client_assertion = await new SignJWT(all)
    .setProtectedHeader({ alg, typ: "JWT", ...named })
    .sign(await importPKCS8(privateKey, alg));
  const client_assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
  return { client_secret: undefined, client_assertion, client_assertion_type };
}

/** The thumbprint of a certificate, as x5t (SHA-1) and x5t#S256 have it. */
export const thumbprint = (certificate: string, algorithm: "sha1" | "sha256") =>
  createHash(algorithm).update(new X509Certificate(certificate).raw).digest("base64url");
