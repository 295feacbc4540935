import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { env } from "@/server/env";

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;

/** Which column of which row a sealed value belongs to: it opens nowhere else. */
export interface SealedColumn {
  table: string;
  column: string;
  row: string;
}

/** Encrypts text with the current key: `v1.<key id>.<iv>.<tag>.<ciphertext>` (ADR 90). */
export function seal(plain: string, place: SealedColumn): string {
  const [key] = env().ENCRYPTION_KEYS;
  if (!key) throw new Error("there is no encryption key");
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key.key, iv).setAAD(bound(place));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return [
    "v1",
    key.kid,
    iv.toString("base64url"),
    cipher.getAuthTag().toString("base64url"),
    body.toString("base64url"),
  ].join(".");
}

/** Decrypts what `seal` made, with whichever key of the ring it names. Throws when the key is gone or the row is another. */
export function unseal(sealed: string, place: SealedColumn): string {
  const [version, kid, iv, tag, body] = sealed.split(".");
  const key = env().ENCRYPTION_KEYS.find((one) => one.kid === kid);
  if (version !== "v1" || !key || !iv || !tag || body === undefined) {
    throw new Error(`a value in ${place.table}.${place.column} cannot be opened with the keys of this process`);
  }
  const decipher = createDecipheriv(ALGORITHM, key.key, Buffer.from(iv, "base64url"))
    .setAAD(bound(place))
    .setAuthTag(Buffer.from(tag, "base64url"));
  return Buffer.concat([decipher.update(Buffer.from(body, "base64url")), decipher.final()]).toString("utf8");
}

/** Computes what is stored of a secret that only ever has to be recognised. */
export function digest(secret: string): Buffer<ArrayBuffer> {
  // Node shares no memory of a digest, which Prisma wants to know of bytes.
  return createHash("sha256").update(secret).digest() as Buffer<ArrayBuffer>;
}

const derived = new Map<string, Buffer[]>();

/** Derives keys for a purpose other than sealing, one from each key of the ring, the current one first. */
export function derivedKeys(purpose: string): Buffer[] {
  const ring = env().ENCRYPTION_KEYS;
  const name = `${purpose}|${ring.map(({ kid }) => kid).join(",")}`;
  const cachedKeys = derived.get(name);
  if (cachedKeys) return cachedKeys;
  const keys = ring.map(({ key }) => Buffer.from(hkdfSync("sha256", key, "", purpose, 32)));
  derived.set(name, keys);
  return keys;
}

function bound({ table, column, row }: SealedColumn): Buffer {
  return Buffer.from(`${table}|${column}|${row}`);
}
