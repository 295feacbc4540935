import { domainToASCII } from "node:url";
import isEmail from "validator/lib/isEmail.js";
import { z } from "zod";
import { type GuestChange, guestAddress } from "@/server/domain/events/guests";
import { MAX_GUEST_ENTRIES } from "@/server/domain/limits";
import { exceeds } from "@/server/domain/text";
import { MAX_EMAIL, MAX_GUEST_NAME } from "@/server/domain/text-limits";
import { docsAs } from "@/server/services/docs-as";
import { refused, text } from "@/server/services/fields";

/** Of an address with the spaces around it. */
const LONGEST_SENT = 10_000;
const NOT_AN_ADDRESS = "is not a valid email address";

/** An address that providers deliver to (ADR 84), as addresses are compared. */
export const email = address({ needsDot: true });
/** The same or the address of an account: where Almanac runs at localhost, those of application calendars have no dot. */
export const accountEmail = address({ needsDot: false });

function address({ needsDot }: { needsDot: boolean }) {
  return z
    .string()
    .transform((value) => (value.length > LONGEST_SENT ? value : guestAddress(value)))
    .superRefine((value, { issues }) => {
      if (exceeds(value, MAX_EMAIL)) {
        const limit = { code: "too_big", origin: "string", maximum: MAX_EMAIL, inclusive: true } as const;
        issues.push({ ...limit, input: value, message: "" });
        return;
      }
      const fault = addressFault(value, needsDot);
      if (fault) issues.push(refused(value, { key: "errors.invalid_email" }, fault));
    })
    .meta({ format: "email", maxLength: MAX_EMAIL });
}

/**
 * Checks that an address is RFC 5321's Mailbox without what providers refuse: quoted local parts, addresses in place of
 * a domain, and letters outside of ASCII before the @. Returns null when it is.
 */
function addressFault(value: string, needsDot: boolean): string | null {
  const domain = value.slice(value.lastIndexOf("@") + 1);
  const isMailbox = isEmail(value, { allow_utf8_local_part: false, require_tld: needsDot });
  // Of a name in Punycode only the encoding itself knows whether it is one.
  if (isMailbox && !value.startsWith('"') && domainToASCII(domain) === domain) return null;
  const isForeign = /[\u0080-\uffff]/.test(value.slice(0, -domain.length));
  return isForeign ? `${NOT_AN_ADDRESS}: only ASCII characters can be before the @` : NOT_AN_ADDRESS;
}

/** What callers may send as `attendees`. */
export const guestLists = z.object({
  invite: z
    .array(z.object({ email, display_name: text({ max: MAX_GUEST_NAME }).nullish() }))
    .default([])
    .meta({ maxItems: MAX_GUEST_ENTRIES, description: "Guests to add. Existing guests stay." }),
  remove: z
    .array(z.object({ email }))
    .default([])
    .meta({ maxItems: MAX_GUEST_ENTRIES, description: "Guests to remove. A guest listed in both lists is removed." }),
});

/** `attendees` of a write: an object with `invite` and/or `remove` ("Event-write keys"). */
export const guestChange = z
  .unknown()
  .transform((value, { issues }): GuestChange => {
    const isChange = typeof value === "object" && value !== null && ("invite" in value || "remove" in value);
    if (!isChange || Array.isArray(value)) {
      issues.push(refused(value, { key: "errors.invalid_format" }, "must be an object with invite and/or remove"));
      return z.NEVER;
    }
    const read = guestLists.safeParse(cut(value, issues));
    if (read.success) return read.data;
    issues.push(...(read.error.issues as z.core.$ZodRawIssue[]));
    return z.NEVER;
  })
  .register(docsAs, { as: "GuestChange" });

/** Cuts the lists to their limit: one of thousands could otherwise be answered with as many mistakes. */
function cut(value: object, issues: z.core.$ZodRawIssue[]): object {
  const { invite, remove } = value as { invite?: unknown; remove?: unknown };
  const limited = (list: unknown, name: string) => {
    if (!Array.isArray(list) || list.length <= MAX_GUEST_ENTRIES) return list ?? undefined;
    const limit = { code: "too_big", origin: "array", maximum: MAX_GUEST_ENTRIES, inclusive: true } as const;
    issues.push({ ...limit, input: list, path: [name], message: "" });
    return list.slice(0, MAX_GUEST_ENTRIES);
  };
  return { invite: limited(invite, "invite"), remove: limited(remove, "remove") };
}
