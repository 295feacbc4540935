import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import Negotiator from "negotiator";
import { ENCODING_HEADER, openExchange } from "@/server/http/exchange";

/** A text that is the same for everybody, before it is sent. */
export interface MadeText {
  /** Default: 200. */
  status?: 200 | 404;
  /** With its charset. */
  type: string;
  text: string | Uint8Array;
  headers?: Record<string, string>;
}

interface KeptText {
  status: 200 | 404;
  headers: Record<string, string>;
  tag: string;
  bytes: Bytes;
  compressed: Map<Encoding, Promise<Bytes>>;
}

type Bytes = Uint8Array<ArrayBuffer>;
type Encoding = keyof typeof encoders;

/** The editor of GraphQL has 8 MB, so that the best quality would take seconds. */
const QUALITY = 5;
const encoders = {
  br: (bytes: Bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
  gzip: (bytes: Bytes) => promisify(gzip)(bytes),
};
const encodings = Object.keys(encoders) as Encoding[];
/** Compressing less is not worth its headers. */
const SMALL = 1_024;
const COMPRESSED = /^(?:text|application)\//;

export interface TextInput {
  /** Of the few texts that there are: what a stranger wrote is no name. */
  name: string;
  /** What the texts depend on. Where it is another, all are made again. */
  version: string;
  make(): MadeText | Promise<MadeText>;
}

/**
 * Keeps texts that are the same for everybody, each made once for a version, and compressed once for each encoding. Gives what responds
 * with one: 304 to who has it (ADR 87).
 */
export function keptTexts(): (request: Request, input: TextInput) => Promise<Response> {
  let keptVersion: string | undefined;
  let kept = new Map<string, Promise<KeptText>>();

  function textOf({ name, version, make }: TextInput): Promise<KeptText> {
    if (keptVersion !== version) [keptVersion, kept] = [version, new Map()];
    const texts = kept;
    const known = texts.get(name);
    if (known) return known;
    const made = Promise.resolve(make()).then(keptText);
    texts.set(name, made);
    made.catch(() => texts.delete(name)); // the next one who asks tries again
    return made;
  }

  return async (request, input) => respond(request, await textOf(input));
}

function keptText({ status = 200, type, text, headers = {} }: MadeText): KeptText {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : Uint8Array.from(text);
  const tag = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return { status, headers: { ...headers, "content-type": type }, tag, bytes, compressed: new Map() };
}

async function respond(
  request: Request,
  { status, headers: own, tag, bytes, compressed }: KeptText,
): Promise<Response> {
  const { "content-type": type = "", ...others } = own;
  const etag = `"${tag}"`;
  const headers = {
    ...openExchange(request).headers,
    "x-content-type-options": "nosniff",
    vary: "Accept-Encoding",
    ...others,
    etag,
  };
  const known = (request.headers.get("if-none-match") ?? "").split(",").map((each) => each.trim().replace(/^W\//, ""));
  if (status === 200 && (known.includes(etag) || known.includes("*"))) {
    return new Response(null, { status: 304, headers });
  }
  const encoding = bytes.length < SMALL || !COMPRESSED.test(type) ? undefined : acceptedBy(request);
  const body = encoding ? await encoded(encoding, bytes, compressed) : bytes;
  return new Response(request.method === "HEAD" ? null : body, {
    status,
    headers: { ...headers, "content-type": type, ...(encoding && { [ENCODING_HEADER]: encoding }) },
  });
}

function encoded(encoding: Encoding, bytes: Bytes, compressed: KeptText["compressed"]): Promise<Bytes> {
  const known = compressed.get(encoding);
  if (known) return known;
  const made = encoders[encoding](bytes).then((each) => Uint8Array.from(each));
  compressed.set(encoding, made);
  return made;
}

function acceptedBy({ headers }: Request): Encoding | undefined {
  const accepted = headers.get("accept-encoding");
  const asked = new Negotiator({ headers: accepted === null ? {} : { "accept-encoding": accepted } });
  const possible = asked.encodings(encodings, encodings);
  return encodings.find((one) => possible.includes(one));
}
