import type { Inngest } from "inngest";
import { inPieces } from "@/server/jobs/functions/pieces";
import { eraseApplications } from "@/server/store/applications/erase";

/** What staff deleted. Its access ended with the click; the rows go soon after. */
export function erasingApplications(client: Inngest) {
  const id = "erase-deleted-applications";
  return inPieces(client, { id, name: "Erase deleted applications", cron: "*/5 * * * *", chore: eraseApplications });
}
