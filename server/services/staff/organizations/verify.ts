import { type DelegationKey, type Delegator, mayReach } from "@/server/domain/delegations";
import { connectorOf } from "@/server/providers/connectors";
import { DIRECTORY_SCOPES } from "@/server/providers/google/organization";
import { CALENDAR_SCOPES } from "@/server/providers/google/sign-in";
import { APPLICATION_PERMISSIONS } from "@/server/providers/microsoft/organization";
import { type OpenedMailbox, type Opener, openByOrganization } from "@/server/providers/open-by-organization";
import type { VerifiedMailbox } from "@/server/services/staff/organizations/shapes";
import { type Delegation, keyOf } from "@/server/store/delegations/delegations";

/** Opens one mailbox as an authorization would, stores nothing, and says what is missing. */
export async function verifyMailbox(
  delegation: Delegation,
  email: string,
): Promise<Exclude<VerifiedMailbox, { kind: "opened" }> | { kind: "opened"; name: string; calendars: number }> {
  if (!mayReach(delegation, delegation.provider, email)) {
    const missing = "This address isn’t among the domains and addresses allowed for this organization.";
    return { kind: "problem", missing, detail: null };
  }
  const key = keyOf(delegation);
  const opened = await openByOrganization(connectorOf(delegation.provider), { ...delegation, key }, email);
  if (opened.kind === "opened") {
    return { kind: "opened", name: opened.account.name, calendars: opened.calendars.length };
  }
  const { kind, detail } = opened;
  return { kind: "problem", missing: sentenceOf(kind, { ...delegation, key }), detail };
}

function sentenceOf(kind: Exclude<OpenedMailbox["kind"], "opened">, { key, groupAddress }: Opener): string {
  switch (kind) {
    case "unknown_mailbox":
      return "No user or room in the directory has this address.";
    case "suspended":
      return "The user is suspended.";
    case "not_in_group":
      return `The user is not a member of ${groupAddress}.`;
    case "no_such_group":
      return `The directory has no group ${groupAddress}.`;
    case "no_mailbox":
    case "no_calendars":
      return "The user has no calendar. Check their license, and that the calendar service is on for them.";
    case "not_configured":
      return notSetUp(key.provider);
    case "down":
      return "The provider can’t be reached right now. Try again.";
    case "key_refused":
      return KEY_REJECTED;
    case "directory_refused":
      return directorySentence(key);
    case "mailbox_refused":
      return mailboxSentence(key);
  }
}

/** Says what is missing where a key opens no mailbox. */
export function keySentence(key: DelegationKey): string {
  return key.provider === "google" ? mailboxSentence(key) : `${KEY_REJECTED} ${mailboxSentence(key)}`;
}

const KEY_REJECTED =
  "Microsoft rejects the tenant, the client ID, the secret or the certificate. Check that none has expired.";

function directorySentence(key: DelegationKey): string {
  if (key.provider === "microsoft") {
    return `The app may not read the directory. Grant it the application permissions ${APPLICATION_PERMISSIONS.join(", ")}, with admin consent.`;
  }
  return `Google rejects the key for ${key.administrator}. Check that this is an administrator, and that the service account’s client ID has these scopes under Domain-wide delegation: ${[...DIRECTORY_SCOPES, ...CALENDAR_SCOPES.full].join(", ")}. The Admin SDK API has to be enabled in the service account’s project.`;
}

function mailboxSentence(key: DelegationKey): string {
  if (key.provider === "microsoft") {
    return "The app may not open this mailbox. Grant it the application permissions Calendars.ReadWrite and MailboxSettings.Read, with admin consent, and check that no access policy excludes the mailbox.";
  }
  return `Google doesn’t let the service account act for this user. Add these scopes under Domain-wide delegation: ${CALENDAR_SCOPES.full.join(", ")}. The Google Calendar API has to be enabled in the service account’s project.`;
}

/** Says which variables set up a provider. */
export function notSetUp(provider: Delegator): string {
  return provider === "google"
    ? "Google isn’t set up in this installation. Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET."
    : "Microsoft isn’t set up in this installation. Set MICROSOFT_CLIENT_ID and MICROSOFT_CLIENT_SECRET.";
}
