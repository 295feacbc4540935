import type { Database } from "@/server/db/client";
import type { Connector, Session } from "@/server/providers/connector";
import type { ClaimedProfile } from "@/server/sync/claim-profiles";

/** One sync of a profile. */
export interface Syncing {
  db: Database;
  connector: Connector;
  session: Session;
  profile: ClaimedProfile;
  /** False: the claim is lost, or this process is stopping. */
  goesOn(): boolean;
}
