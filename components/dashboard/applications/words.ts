import type { ApplicationRow, Traffic } from "@/server/services/staff/applications/shapes";

export const APPLICATIONS = "/dashboard/applications";

export const planWords: Record<ApplicationRow["plan"], string> = {
  standard: "Standard plan",
  developer: "Developer plan",
};

export const redirectUriRule =
  "https, or http on localhost, 127.0.0.1 or [::1]. No fragment or credentials. Must match exactly.";

export const compatibilityWords = "Cronofy-compatible responses and signatures, for existing Cronofy SDK clients";

export const foreignEventsWords =
  "Lets the application change and delete any event, and reply to invitations. Users must reconnect: the connect page asks for it.";

export const mcpWritesWords =
  "Lets AI assistants that use the application create, change and delete events. Without it, the MCP server is read-only.";

export const connectSuccessWords =
  "Shows “Calendar connected” with a button back to the application. Without it, users return right away.";

export const publicClientWords =
  "For apps that can’t keep a secret, such as native apps and AI assistants. No client secret needed, PKCE required.";

/** Sums the requests of the 24 hours. */
export function requestsOf({ requestsPerHour }: Traffic): number {
  return requestsPerHour.reduce((sum, count) => sum + count, 0);
}
