import { z } from "zod";
import { type GuestChange, guestAddress } from "@/server/domain/events/guests";
import { MAX_GUEST_ENTRIES } from "@/server/domain/limits";
import { exceeds } from "@/server/domain/text";
import { MAX_EMAIL, MAX_GUEST_NAME } from "@/server/domain/text-limits";
import { docsAs } from "@/server/services/docs-as";
import { refused, text } from "@/server/services/fields";

/** Of an address with the spaces around it. */
const LONGEST_SENT = 10_000;
const LOCAL_PART = "[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}";
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";

/** An email address as people have them (the rule of HTML's email field, with a dot in the host's name), as addresses are compared. */
export const email = address(new RegExp(`^${LOCAL_PART}@${LABEL}(?:\\.${LABEL})+$`));
/** The same or the address of an account: where Almanac runs at localhost, those of application calendars have no dot. */
export const accountEmail = address(new RegExp(`^${LOCAL_PART}@${LABEL}(?:\\.${LABEL})*$`));

function address(pattern: RegExp) {
  return z
    .string()
    .transform((value) => (value.length > LONGEST_SENT ? value : guestAddress(value)))
    .superRefine((value, { issues }) => {
      if (exceeds(value, MAX_EMAIL)) {
        const limit = { code: "too_big", origin: "string", maximum: MAX_EMAIL, inclusive: true } as const;
        issues.push({ ...limit, input: value, message: "" });
      } else if (!pattern.test(value)) {
        issues.push(refused(value, { key: "errors.invalid_email" }, "is not a valid email address"));
      }
    })
    .meta({ format: "email", maxLength: MAX_EMAIL });
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

/** The lists without what is over their limit: one of thousands could otherwise be answered with as many mistakes. */
function cut(value: object, issues: z.core.$ZodRawIssue[]): object {
  const { invite, remove } = value as { invite?: unknown; remove?: unknown };
  const limited = (list: unknown, name: string) => {
    if (!Array.isArray(list) || list.length <= MAX_GUEST_ENTRIES) return list;
    const limit = { code: "too_big", origin: "array", maximum: MAX_GUEST_ENTRIES, inclusive: true } as const;
    issues.push({ ...limit, input: list, path: [name], message: "" });
    return list.slice(0, MAX_GUEST_ENTRIES);
  };
  return { invite: limited(invite, "invite"), remove: limited(remove, "remove") };
}
