import { knownErrors, type WireResponse } from "./errors";
import { selected, selection } from "./odata";
import type { WireRequest } from "./request";
import type { Account, World } from "./state";

/** The properties that "Get a user" returns by default. */
export const defaultProperties = [
  ...["id", "displayName", "givenName", "surname", "userPrincipalName", "mail", "mobilePhone", "officeLocation"],
  ...["businessPhones", "jobTitle", "preferredLanguage"],
];

/** Those, and some that are returned only on $select. */
export const userProperties = [...defaultProperties, "accountEnabled", "proxyAddresses"];

/** Field `id` of a user: the object id, which a personal account has in a form of its own [K]. */
export const userIdOf = ({ kind, oid }: Account) => (kind === "work" ? oid : oid.slice(19).replace("-", ""));

/** A user of the directory. */
export function userView(account: Account) {
  const [givenName = "", surname = ""] = account.name.split(" ");
  return {
    id: userIdOf(account),
    displayName: account.name,
    givenName,
    surname: surname === "" ? null : surname,
    userPrincipalName: account.email,
    // [K]: personal accounts and accounts without a mailbox may have no mail.
    mail: account.kind === "work" && account.hasMailbox ? account.email : null,
    mobilePhone: null,
    officeLocation: null,
    businessPhones: [],
    jobTitle: null,
    preferredLanguage: "en-US",
    accountEnabled: account.isEnabled,
    // "the string value prefixed with SMTP is the primary address".
    proxyAddresses: [`SMTP:${account.email}`, ...account.aliases.map((alias) => `smtp:${alias}`)],
  };
}

/** GET of a user: /me, or /users/{id}. */
export function getUser(world: World, account: Account, { query }: WireRequest): WireResponse {
  const names = selection(query, userProperties, "microsoft.graph.user") ?? defaultProperties;
  const shown = selected(userView(account), names);
  return { status: 200, body: { "@odata.context": `${world.origin}/v1.0/$metadata#users/$entity`, ...shown } };
}

/** GET /me/mailboxSettings: the zone of the mailbox, by its Windows name. */
export function getMailboxSettings(world: World, account: Account): WireResponse {
  if (!account.hasMailbox) throw knownErrors.mailboxNotEnabled();
  const context = `${world.origin}/v1.0/$metadata#users('${account.oid}')/mailboxSettings`;
  const body = {
    "@odata.context": context,
    timeZone: account.timeZone,
    language: { locale: "en-US", displayName: "English (United States)" },
    dateFormat: "yyyy-MM-dd",
    timeFormat: "HH:mm",
  };
  return { status: 200, body };
}
