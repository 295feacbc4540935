import type { Database } from "@/server/db/client";
import type { MismatchedRedirect } from "@/server/services/staff/requests/shapes";

interface Refused {
  applicationId: string | null;
  query: string | null;
  errorKeys: string[];
}

/** What a refused GET /oauth/authorize requested and what the application has registered now; null when that was not why. */
export async function mismatchedRedirect(
  { prisma }: Database,
  { applicationId, query: parameters, errorKeys }: Refused,
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
