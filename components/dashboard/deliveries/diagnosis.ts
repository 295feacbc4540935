import type { AttemptRow, DeliveryDetail } from "@/server/services/staff/deliveries/shapes";

type Failure = Pick<AttemptRow, "status" | "errorClass" | "address">;

const ACCEPTED = /^2/;

/**
 * Explains why the last attempt failed, and what its developer can do about it, in one or two sentences. Null: it
 * didn't fail.
 */
export function diagnosis(delivery: Pick<DeliveryDetail, "state" | "endpoint" | "attemptRows">): string | null {
  const last = delivery.attemptRows.at(-1);
  if (!last || delivery.state === "delivered") return null;
  return ACCEPTED.test(String(last.status)) ? null : byFailure(last, delivery.endpoint);
}

/** Explains why an attempt got no 2xx, and what its developer can do about it, in one or two sentences. */
export function byFailure(failure: Failure, endpoint: string): string {
  const { host, path } = parts(endpoint);
  return failure.status === null ? byError(failure, host) : byStatus(failure.status, path);
}

function byError({ errorClass, address }: Failure, host: string): string {
  const at = address === null ? host : `${host} (${address})`;
  switch (errorClass) {
    case "timeout":
      return "The endpoint didn't respond within 5 seconds.";
    case "dns":
      return `DNS lookup failed for ${nameOf(host)}. Check that the name exists and resolves publicly.`;
    case "connect":
      return `Couldn't connect to ${at}. Check that the server is running and accepts connections from Almanac.`;
    case "tls":
      return `The TLS handshake with ${at} failed. Check that the certificate is valid for ${nameOf(host)} and includes its chain.`;
    case "blocked":
      return `${address === null ? "The callback URL" : `${nameOf(host)} resolves to ${address}, which`} isn't public. Almanac sends webhooks to public addresses only.`;
    case "reset":
      return "The endpoint closed the connection before it responded.";
    case "http":
      return "The endpoint sent an invalid HTTP response.";
    default:
      return "An internal error in Almanac prevented this attempt. The log has the details.";
  }
}

function byStatus(status: number, path: string): string {
  const responded = `The endpoint responded with ${status}`;
  if (status === 401 || status === 403)
    return `${responded}: it rejects Almanac. Check its authentication and firewall rules.`;
  if (status === 404) return `${responded}. Check that ${path} exists and accepts POST.`;
  if (status === 405) return `${responded}: it doesn't accept POST.`;
  if (status === 410) return `${responded} (Gone), so Almanac closed the channel.`;
  if (status === 413) return `${responded}: its limit for request bodies is too low.`;
  if (status === 429) return `${responded}: it is rate limiting Almanac.`;
  if (status >= 300 && status < 400)
    return `${responded}. Almanac doesn't follow redirects: create the channel with the final URL.`;
  if (status >= 500) return `${responded}: an error on its side.`;
  return `${responded}. Any 2xx status code counts as delivered.`;
}

function parts(endpoint: string): { host: string; path: string } {
  const slash = endpoint.indexOf("/");
  return slash < 0 ? { host: endpoint, path: "/" } : { host: endpoint.slice(0, slash), path: endpoint.slice(slash) };
}

/** Strips the port. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, "");
}
