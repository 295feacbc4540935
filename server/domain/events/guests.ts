import { domainToASCII } from "node:url";

export type GuestStatus = "needs_action" | "accepted" | "declined" | "tentative" | "unknown";

export interface Guest {
  /** As `guestAddress` writes it. */
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

/** Letters of any script. What URLs read otherwise (`%`, `/`, brackets) is left as it is, for whoever checks the address. */
const international = /^(?=.*[\u0080-\u{10ffff}])[a-z0-9.\-\u0080-\u{10ffff}]+$/u;
const LONGEST_DOMAIN = 253;

/**
 * How addresses are compared and kept ("Rules for attendees"): trimmed, in lower case, and with the domain in ASCII
 * (`xn--mller-kva.example` for `müller.example`). A domain that has no such form stays.
 */
export function guestAddress(email: string): string {
  const address = email.trim().toLowerCase();
  const at = address.lastIndexOf("@") + 1;
  const domain = address.slice(at);
  if (at === 0 || domain.length > LONGEST_DOMAIN || !international.test(domain)) return address;
  return address.slice(0, at) + (domainToASCII(domain) || domain);
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
