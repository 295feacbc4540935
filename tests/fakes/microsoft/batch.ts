import { badRequest, knownErrors, type WireResponse } from "./errors";
import { jsonBody, type WireRequest } from "./request";

/** "JSON batch requests are currently limited to 20 individual requests." */
const MOST = 20;
/** microsoft-graph-docs#20833: "by default 4 requests will be executed in parallel at any point". */
const AT_ONCE = 4;

interface Part {
  id: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: unknown;
  dependsOn: string[];
}

interface PartResponse {
  id: string;
  status: number;
  headers: Record<string, string>;
  body?: unknown;
}

/** POST /$batch: each part is handled as a request of its own. */
export async function batch(
  request: WireRequest,
  handle: (part: WireRequest) => Promise<WireResponse | undefined>,
): Promise<WireResponse> {
  const parts = partsOf(jsonBody(request));
  const done = new Map<string, PartResponse>();
  const left = new Set(parts);
  while (left.size > 0) {
    const ready = [...left].filter(({ dependsOn }) => dependsOn.every((id) => done.has(id))).slice(0, AT_ONCE);
    if (ready.length === 0) throw badRequest("BadRequest", "The dependencies of the batch form a circle.");
    for (const part of ready) left.delete(part);
    const responses = await Promise.all(ready.map((part) => respond(request, part, done, handle)));
    for (const response of responses) done.set(response.id, response);
  }
  // "Individual responses might appear in a different order than the requests": here they always do.
  return { status: 200, body: { responses: [...done.values()].reverse() } };
}

async function respond(
  outer: WireRequest,
  part: Part,
  done: ReadonlyMap<string, PartResponse>,
  handle: (part: WireRequest) => Promise<WireResponse | undefined>,
): Promise<PartResponse> {
  // "any request that depends on that request fails with status code 424 (Failed Dependency)".
  if (part.dependsOn.some((id) => (done.get(id)?.status ?? 500) >= 400)) {
    return { id: part.id, status: 424, headers: {}, body: { error: { code: "FailedDependency", message: "" } } };
  }
  const response = (await handle(requestOf(outer, part))) ?? knownErrors.gatewayTimeout().response;
  const { status, headers = {}, body } = response;
  const type = body !== undefined && { "Content-Type": "application/json" };
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [titled(name), value]));
  return { id: part.id, status, headers: { ...named, ...type }, ...(body !== undefined && { body }) };
}

const titled = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

/** A part as a request: its own headers, and the token of the batch. */
function requestOf({ url, headers }: WireRequest, part: Part): WireRequest {
  const target = new URL(`${url.origin}/v1.0/${part.url.replace(/^\/+/, "")}`);
  const own = Object.fromEntries(Object.entries(part.headers).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    method: part.method.toUpperCase(),
    url: target,
    query: target.searchParams,
    headers: { authorization: headers.authorization, ...own },
    body: part.body === undefined ? "" : JSON.stringify(part.body),
    isPart: true,
  };
}

/** The parts of a body; 400 for a malformed batch. Texts are [K]. */
function partsOf({ requests }: Record<string, unknown>): Part[] {
  if (!Array.isArray(requests)) throw badRequest("BadRequest", "Invalid batch payload format.");
  if (requests.length > MOST) {
    throw badRequest("MaximumValueExceeded", `Number of batch request steps exceeds the maximum value of ${MOST}.`);
  }
  const parts = requests.map(
    (given: Partial<Part>) => ({ headers: {}, ...given, dependsOn: given.dependsOn ?? [] }) as Part,
  );
  // "Not case-sensitive. Must be unique in the batch, otherwise, the batch request fails with a 400 error code."
  const ids = parts.map(({ id }) => String(id).toLowerCase());
  if (parts.some(({ id, method, url }) => !id || !method || !url))
    throw badRequest("BadRequest", "Invalid batch payload format.");
  if (new Set(ids).size < ids.length) throw badRequest("BadRequest", "Request Id has to be unique in a batch.");
  for (const { id, body, headers, dependsOn } of parts) {
    const hasType = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
    // "When the body is supplied, a Content-Type header must be included."
    if (body !== undefined && !hasType)
      throw badRequest("BadRequest", `Write request id : ${id} does not contain Content-Type header or body.`);
    if (dependsOn.some((one) => !ids.includes(one.toLowerCase())))
      throw badRequest("BadRequest", `Request id ${id} depends on an unknown request.`);
  }
  return parts;
}
