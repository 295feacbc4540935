import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { OAuthClient } from "./grants";
import type { World } from "./state";

/** The key file of a service account, as the Google Cloud console gives it out. */
export interface ServiceAccountKey {
  type: "service_account";
  project_id: string;
  private_key_id: string;
  /** PKCS #8 as PEM. */
  private_key: string;
  client_email: string;
  client_id: string;
  token_uri: string;
}

export interface ServiceAccountInput {
  /** An address at iam.gserviceaccount.com if omitted. */
  email?: string;
  /** The organization whose administrator delegates to it. */
  domain: string;
  scopes: string[];
}

/** A service account to which the administrator of an organization has delegated the whole domain. */
export interface ServiceAccount {
  key: ServiceAccountKey;
  /** What the administrator has granted; a test may change it. */
  scopes: Set<string>;
  /** The administrator removes the delegation. */
  withdraw(): void;
  /** The key is deleted in the Google Cloud console, and verifies nothing any more. */
  deleteKey(): void;
}

/** What the token endpoint knows of a service account. */
export interface ServiceAccountRecord {
  email: string;
  /** Takes the place of the OAuth client in the grants of the users that it acts for. */
  client: OAuthClient;
  domain: string;
  scopes: Set<string>;
  isDelegated: boolean;
  keyId: string;
  /** Undefined once the key is deleted. */
  publicKey: KeyObject | undefined;
}

export interface ServiceAccounts {
  add(input: ServiceAccountInput): ServiceAccount;
  /** The service account of an address. */
  of(email: string): ServiceAccountRecord | undefined;
}

const PROJECT = "almanac-fake";
/** All have this one, because making a key is slow; their ids tell them apart. */
let pair: { publicKey: KeyObject; privateKey: KeyObject } | undefined;

/** The service accounts of a fake. */
export function serviceAccountStore(world: World): ServiceAccounts {
  const records: ServiceAccountRecord[] = [];
  return {
    of: (email) => records.find((one) => one.email === email),
    add({ email = `almanac-${records.length + 1}@${PROJECT}.iam.gserviceaccount.com`, domain, scopes }) {
      pair ??= generateKeyPairSync("rsa", { modulusLength: 2048 });
      const record: ServiceAccountRecord = {
        email,
        client: { id: `1${String(records.length + 1).padStart(20, "0")}`, secret: "", redirectUris: [] },
        domain,
        scopes: new Set(scopes),
        isDelegated: true,
        keyId: createHash("sha1").update(email).digest("hex"),
        publicKey: pair.publicKey,
      };
      records.push(record);
      return {
        key: {
          type: "service_account",
          project_id: PROJECT,
          private_key_id: record.keyId,
          private_key: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
          client_email: email,
          client_id: record.client.id,
          token_uri: `${world.origin}/token`,
        },
        scopes: record.scopes,
        withdraw() {
          record.isDelegated = false;
        },
        deleteKey() {
          record.publicKey = undefined;
        },
      };
    },
  };
}
