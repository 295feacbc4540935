import type { Database } from "@/server/db/client";
import type { MismatchedRedirect } from "@/server/services/staff/requests/shapes";

interface RefusedRequest {
  applicationId: string | null;
  query: string | null;
  errorKeys: string[];
}

/** Compares the redirect URI of a refused GET /oauth/authorize with those registered now; null when that was not the reason. */
export async function mismatchedRedirect(
  { prisma }: Database,
  { applicationId, query: parameters, errorKeys }: RefusedRequest,
): Promise<MismatchedRedirect | null> {
  if (applicationId === null || !errorKeys.includes("redirect_uri_mismatch")) return null;
  const uris = await prisma.redirectUri.findMany({
    select: { uri: true },
    where: { applicationId },
    orderBy: { uri: "asc" },
  });
  const sent = new URLSearchParams(parameters ?? "").get("redirect_uri");
  return { sent, registered: uris.map(({ uri }) => uri) };
}
