import { domainToASCII } from "node:url";

export type GuestStatus = "needs_action" | "accepted" | "declined" | "tentative" | "unknown";

export interface Guest {
  /** As normalized by `guestAddress`. */
  email: string;
  display_name: string | null;
  status: GuestStatus;
}

/** A change that a write asks for, not a list. */
export interface GuestChange {
  invite: readonly { email: string; display_name?: string | null }[];
  remove: readonly { email: string }[];
}

/** "Guests per event: 100" ("Limits"). */
export const MAX_GUESTS = 100;

/**
 * Letters of any script. Characters that URLs treat differently (`%`, `/`, brackets) are left unchanged for the address
 * check.
 */
const international = /^(?=.*[\u0080-\u{10ffff}])[a-z0-9.\-\u0080-\u{10ffff}]+$/u;
const LONGEST_DOMAIN = 253;

/**
 * Normalizes an address for comparison and storage ("Rules for attendees"): trimmed, in lower case, and with the domain
 * in ASCII (`xn--mller-kva.example` for `müller.example`). A domain without such a form stays.
 */
export function guestAddress(email: string): string {
  const address = email.trim().toLowerCase();
  const at = address.lastIndexOf("@") + 1;
  const domain = address.slice(at);
  if (at === 0 || domain.length > LONGEST_DOMAIN || !international.test(domain)) return address;
  return address.slice(0, at) + (domainToASCII(domain) || domain);
}

/**
 * Applies a change to the guests ("Rules for attendees"): adds the invited and drops the removed. An address in both
 * lists is removed. A guest who is invited again keeps the calendar's reply and takes the new name, if one was sent.
 */
export function changeGuests(guests: readonly Guest[], { invite, remove }: GuestChange): Guest[] {
  const after = new Map(guests.map((guest) => [guest.email, guest]));
  for (const { email, display_name } of invite) {
    const guestAfter = after.get(email);
    after.set(email, {
      email,
      display_name: display_name ?? guestAfter?.display_name ?? null,
      status: guestAfter?.status ?? "needs_action",
    });
  }
  for (const { email } of remove) after.delete(email);
  return [...after.values()];
}
