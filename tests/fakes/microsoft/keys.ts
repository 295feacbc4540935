import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";

export interface SigningKeys {
  /** The key set of a tenant, as {tenant}/discovery/v2.0/keys returns it. */
  keySet(issuer: string): object;
  /** A JWT of these claims, signed by RS256 with the newest key. */
  signed(claims: object): string;
  /** A new key signs from now on; the old one stays published, as the page on signing key rollover says. */
  rotate(): void;
}

interface Pair {
  id: string;
  publicKey: KeyObject;
  privateKey: KeyObject;
}

const first = newPair(1);

function newPair(number: number): Pair {
  return { id: `fake-key-${number}`, ...generateKeyPairSync("rsa", { modulusLength: 2048 }) };
}

export function signingKeys(): SigningKeys {
  const pairs = [first];
  return {
    keySet: (issuer) => ({
      keys: pairs.map(({ id, publicKey }) => ({
        ...publicKey.export({ format: "jwk" }),
        kid: id,
        x5t: id,
        use: "sig",
        issuer,
      })),
    }),
    signed(claims) {
      const { id, privateKey } = pairs.at(-1) ?? first;
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const input = `${part({ typ: "JWT", alg: "RS256", kid: id })}.${part(claims)}`;
      return `${input}.${createSign("sha256").update(input).sign(privateKey).toString("base64url")}`;
    },
    rotate: () => void pairs.push(newPair(pairs.length + 1)),
  };
}
