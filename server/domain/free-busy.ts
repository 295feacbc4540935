export type FreeBusyStatus = "busy" | "tentative" | "free";

export interface Claim {
  transparency: "opaque" | "transparent";
  status: string;
  participationStatus: string;
}

/**
 * Decides what an event does to its owner's time (ADR 90): transparent → free; tentative event or reply → tentative;
 * else busy.
 */
export function freeBusyStatus({ transparency, status, participationStatus }: Claim): FreeBusyStatus {
  if (transparency === "transparent") return "free";
  if (status === "tentative" || participationStatus === "tentative") return "tentative";
  return "busy";
}

/** The `state` of a stored occurrence. Free/busy reads skip all but `live` ("declined invitations are never busy"). */
export const occurrenceState = { live: 0, declined: 1, deleted: 2 } as const;

/** Checks whether an event takes its owner's time: not if it is cancelled, declined or transparent. */
export function takesTime(claim: Claim): boolean {
  return claim.status !== "cancelled" && claim.participationStatus !== "declined" && freeBusyStatus(claim) !== "free";
}
