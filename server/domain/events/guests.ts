export type GuestStatus = "needs_action" | "accepted" | "declined" | "tentative" | "unknown";

export interface Guest {
  /** Trimmed and in lower case. */
  email: string;
  display_name: string | null;
  status: GuestStatus;
}

/** What a write asks for: a change, not a list. */
export interface GuestChange {
  invite: readonly { email: string; display_name?: string | null }[];
  remove: readonly { email: string }[];
}

/** "Guests per event: 100" ("Limits"). */
export const MAX_GUESTS = 100;

/** How addresses are compared and kept ("Rules for attendees"). */
export function guestAddress(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * The guests after a change ("Rules for attendees"): those there were, and those invited, without those removed. Who is in
 * both goes. Who is invited again stays one guest with the answer the calendar holds, under the name that was sent, if one was.
 */
export function changeGuests(guests: readonly Guest[], { invite, remove }: GuestChange): Guest[] {
  const after = new Map(guests.map((guest) => [guest.email, guest]));
  for (const { email, display_name } of invite) {
    const known = after.get(email);
    after.set(email, {
      email,
      display_name: display_name ?? known?.display_name ?? null,
      status: known?.status ?? "needs_action",
    });
  }
  for (const { email } of remove) after.delete(email);
  return [...after.values()];
}
