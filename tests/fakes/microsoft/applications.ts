import { createHash, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { guidOf } from "./ids";
import type { World } from "./state";

export interface ApplicationInput {
  /** The tenant whose administrator consents; that of the first account if omitted. */
  tenant?: string;
  /** The application permissions: Calendars.ReadWrite, User.Read.All, GroupMember.Read.All, Place.Read.All, MailboxSettings.Read. */
  roles: string[];
}

/** An application to which the administrator of a tenant has consented, and its credentials. */
export interface Application {
  tenant: string;
  clientId: string;
  clientSecret: string;
  /** Both as PEM. */
  certificate: { certificate: string; privateKey: string };
  /** What the administrator has consented to; a test may change it. New tokens have it. */
  roles: Set<string>;
  expireSecret(): void;
  /** The administrator removes the application from the tenant. */
  remove(): void;
}

/** What the token endpoint knows of an application. */
export interface ApplicationRecord {
  tenant: string;
  clientId: string;
  /** The object id of its service principal in the tenant. */
  objectId: string;
  secret: string;
  isSecretExpired: boolean;
  publicKey: KeyObject;
  /** The values of x5t and x5t#S256 that name the certificate. */
  thumbprints: string[];
  roles: Set<string>;
  isRemoved: boolean;
}

export interface ApplicationToken {
  application: ApplicationRecord;
  /** The roles of when it was issued. */
  roles: ReadonlySet<string>;
  expires: number;
}

export interface Applications {
  tokens: Map<string, ApplicationToken>;
  add(input: ApplicationInput): Application;
  /** The application of an id in a tenant, if it is there. */
  of(tenant: string, clientId: string): ApplicationRecord | undefined;
  /** Whether a tenant exists. */
  hasTenant(tenant: string): boolean;
}

const pem = (name: string) => readFileSync(join(import.meta.dirname, "..", "certificates", name), "utf8");

/** The applications of a fake. All have one certificate. */
export function applicationStore(world: World): Applications {
  const records: ApplicationRecord[] = [];
  return {
    tokens: new Map(),
    of: (tenant, clientId) =>
      records.find((one) => one.tenant === tenant && one.clientId === clientId && !one.isRemoved),
    hasTenant: (tenant) =>
      [...records.map((one) => one.tenant), ...world.accounts.map(({ tid }) => tid)].includes(tenant),
    add({ tenant = world.accounts[0]?.tid ?? guidOf("tenant"), roles }) {
      const [certificate, privateKey] = [pem("application.pem"), pem("application.key.pem")];
      const { publicKey, raw } = new X509Certificate(certificate);
      const name = `application ${records.length + 1}`;
      const record: ApplicationRecord = {
        tenant,
        clientId: guidOf(name),
        objectId: guidOf(`service principal ${name}`),
        secret: `fake~${guidOf(`secret ${name}`)}`,
        isSecretExpired: false,
        publicKey,
        thumbprints: ["sha1", "sha256"].map((algorithm) => createHash(algorithm).update(raw).digest("base64url")),
        roles: new Set(roles),
        isRemoved: false,
      };
      records.push(record);
      return {
        tenant,
        clientId: record.clientId,
        clientSecret: record.secret,
        certificate: { certificate, privateKey },
        roles: record.roles,
        expireSecret() {
          record.isSecretExpired = true;
        },
        remove() {
          record.isRemoved = true;
        },
      };
    },
  };
}
