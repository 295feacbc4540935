import { type Guest, type GuestChange, MAX_GUESTS } from "@/server/domain/events/guests";
import type { Issue } from "@/server/domain/issues";
import { type Provider, providerTraits } from "@/server/domain/providers";

export interface GuestWrite {
  provider: Provider;
  /** Whether the calendar's guests are invited. Null: the provider's default. */
  invites: boolean | null;
  /** What the body asks for. Null: nothing about guests. */
  change: GuestChange | null;
  /** The event's guests before the write, since removed guests are notified too. */
  before: readonly Guest[];
  /** The event's guests after the write. */
  guests: readonly Guest[];
  notify: boolean;
}

/** Lists what the calendar refuses about a write's guests ("Event-write keys"). Checked after the body. */
export function guestIssues({ provider, change, before, guests, notify, ...calendar }: GuestWrite): Issue[] {
  const { writesSilently, ...usual } = providerTraits[provider];
  const invites = calendar.invites ?? usual.invites;
  const issues: Issue[] = [];
  const asksForGuests = change !== null && change.invite.length + change.remove.length > 0;
  if (!invites && notify && asksForGuests) {
    issues.push({
      path: ["attendees"],
      key: "errors.attendees_unsupported",
      description:
        "attendees are not supported: this calendar does not send invitations. Send notify_attendees false to store them without inviting anyone",
    });
  }
  if (!writesSilently && !notify && before.length + guests.length > 0) {
    issues.push({
      path: ["notify_attendees"],
      key: "errors.notify_attendees_unsupported",
      description: "notify_attendees cannot be false: this calendar always notifies guests",
    });
  }
  // A calendar may itself add guests beyond the limit. A write that adds none is still accepted.
  if (guests.length > Math.max(MAX_GUESTS, before.length)) {
    issues.push({
      path: ["attendees"],
      key: "errors.too_many_attendees",
      description: `attendees would total ${guests.length} guests; the limit is ${MAX_GUESTS}`,
    });
  }
  return issues;
}
