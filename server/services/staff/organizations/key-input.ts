import { createHash, createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { z } from "zod";
import type { DelegationKey } from "@/server/domain/delegations";
import { objectOf } from "@/server/providers/json-values";
import { email } from "@/server/services/events/write/guests-field";
import { refused, text } from "@/server/services/fields";

/** The longest key file and certificate. */
const MAX_KEY = 20_000;
/** "2048 bits or larger" (RFC 7518 §3.3). */
const LEAST_BITS = 2_048;
/** What names a service account and its key. */
const NAME = /^[\x21-\x7e]{1,320}$/;
const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const PRIVATE_KEY = /-----BEGIN (?:RSA )?PRIVATE KEY-----.*?-----END (?:RSA )?PRIVATE KEY-----/s;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/s;

const guid = (name: string) =>
  text({ min: 1, max: 100 })
    .transform((value) => value.trim().toLowerCase())
    .check(({ value, issues }) => {
      if (!GUID.test(value))
        issues.push(refused(undefined, { key: "errors.invalid" }, `must be the ${name} from Entra, a GUID`));
    });

/** A Google service-account key, as the file that Google Cloud creates. */
const google = {
  provider: z.literal("google"),
  keyFile: text({ min: 1, max: MAX_KEY }),
  administrator: email,
};

/** An app at Entra, with a client secret, or a certificate and its private key in one PEM file. */
const microsoft = {
  provider: z.literal("microsoft"),
  tenant: guid("directory (tenant) ID"),
  clientId: guid("application (client) ID"),
  secret: text({ max: 500 }).default(""),
  certificate: text({ max: MAX_KEY }).default(""),
};

type Given = z.output<z.ZodObject<typeof google>> | z.output<z.ZodObject<typeof microsoft>>;

/** Builds the input of what an administrator gives of a delegation's key, beside other fields. No error repeats any of it. */
export function withKey<Rest extends z.ZodRawShape>(rest: Rest) {
  return z
    .discriminatedUnion("provider", [z.object({ ...google, ...rest }), z.object({ ...microsoft, ...rest })])
    .transform((given, { issues }) => {
      const fault = (field: string, message: string) => {
        issues.push({ ...refused(undefined, { key: "errors.invalid" }, message), path: [field] });
        return z.NEVER;
      };
      const named = given as Given;
      const key = named.provider === "google" ? googleKey(named, fault) : microsoftKey(named, fault);
      return { ...(given as z.output<z.ZodObject<Rest>>), key };
    });
}

type Fault = (field: string, message: string) => never;

function googleKey({ keyFile, administrator }: Given & { provider: "google" }, fault: Fault): DelegationKey {
  const { type, client_email: clientEmail, private_key_id: privateKeyId, private_key: pem } = objectOf(parsed(keyFile));
  if (type !== "service_account") return fault("keyFile", "must be the JSON key file of a service account");
  const isName = (value: unknown): value is string => typeof value === "string" && NAME.test(value);
  if (!isName(clientEmail) || !isName(privateKeyId)) {
    return fault("keyFile", "lacks client_email or private_key_id");
  }
  const privateKey = pkcs8(pem);
  if (privateKey === null) return fault("keyFile", "contains no RSA private key of at least 2,048 bits");
  return { provider: "google", clientEmail, privateKeyId, privateKey, administrator };
}

function microsoftKey(
  { tenant, clientId, secret, certificate }: Given & { provider: "microsoft" },
  fault: Fault,
): DelegationKey {
  const key = { provider: "microsoft", tenant, clientId } as const;
  if ((secret.trim() === "") === (certificate.trim() === "")) {
    return fault("secret", "is required, or a certificate, but not both");
  }
  if (secret.trim() !== "") return { ...key, proof: { secret: secret.trim() } };
  const privateKey = pkcs8(certificate);
  const thumbprint = thumbprintOf(certificate);
  if (privateKey === null || thumbprint === null) {
    return fault(
      "certificate",
      "must contain a PEM certificate and its RSA private key of at least 2,048 bits, without a passphrase",
    );
  }
  return { ...key, proof: { privateKey, thumbprint } };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** Reads a private key and writes it as PKCS #8. Null: there is none, or it is of another kind. */
function pkcs8(pem: unknown): string | null {
  let key: KeyObject;
  try {
    const [found] = PRIVATE_KEY.exec(String(pem)) ?? [];
    key = createPrivateKey(found ?? "");
  } catch {
    return null;
  }
  const isStrong = key.asymmetricKeyType === "rsa" && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= LEAST_BITS;
  return isStrong ? String(key.export({ type: "pkcs8", format: "pem" })) : null;
}

/** Computes the thumbprint of the certificate that belongs to the private key beside it (RFC 7515 §4.1.8). */
function thumbprintOf(pem: string): string | null {
  try {
    const [found] = CERTIFICATE.exec(pem) ?? [];
    const certificate = new X509Certificate(found ?? "");
    const [key] = PRIVATE_KEY.exec(pem) ?? [];
    if (!certificate.checkPrivateKey(createPrivateKey(key ?? ""))) return null;
    return createHash("sha256").update(certificate.raw).digest("base64url");
  } catch {
    return null;
  }
}
