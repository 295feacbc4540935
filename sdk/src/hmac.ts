const algorithm = { name: "HMAC", hash: "SHA-256" };

/** Whether one of the HMACs is that of the data with one of the secrets. WebCrypto compares in constant time. */
export async function hmacMatches(
  secrets: readonly string[],
  hmacs: readonly Uint8Array[],
  data: Uint8Array,
): Promise<boolean> {
  const found = await Promise.all(
    secrets.map(async (secret) => {
      // WebCrypto refuses an empty key, which would verify nothing anyway.
      if (secret === "") return [false];
      const raw = new TextEncoder().encode(secret);
      const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["verify"]);
      return await Promise.all(hmacs.map((hmac) => crypto.subtle.verify("HMAC", key, buffer(hmac), buffer(data))));
    }),
  );
  return found.flat().includes(true);
}

/** TypeScript doesn't take a view that may be of shared memory. */
function buffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
