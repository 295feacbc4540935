import type { Access, LessAccess } from "@/server/domain/access";

/**
 * The texts of the connect page in one language. `{app}` is the application's name, `{account}` the account that a
 * calendar is added to, `{server}` the host of a CalDAV server or the name of a provider, `{other}` the name of another
 * provider, `{link}` Apple's page.
 */
export interface Words {
  chooseTitle: string;
  wouldLike: Record<Access, string>;
  /** What the application can access, which does not depend on the scope it asked for. */
  may: Record<Access, readonly string[]>;
  /** One more, where the application asks for it. */
  mayChangeOthers: string;
  /** That the application registered itself, and that the user returns to {server}. */
  selfRegistered: string;
  /** That it asks for less than everything. */
  mayOnly: Record<LessAccess, string>;
  where: string;
  nothingOffered: string;
  cancel: string;
  joins: string;
  joinsHint: string;
  /** The same if the application sees no more than free/busy. */
  joinsHintFreeBusy: string;
  /** Of a reconnect link, for whose profile {account} stands. */
  reconnects: string;
  reconnectsHint: string;
  refuse: string;
  icloud: ProviderWords;
  caldav: ProviderWords;
  newTab: string;
  /** The application's support page. */
  supportPage: string;
  privacyPage: string;
  connect: string;
  /** The button while the provider is asked. */
  connecting: string;
  /** Names the language switch for screen readers. */
  language: string;
  mayTitle: string;
  otherCalendar: string;
  unsupportedSignIn: string;
  noCalendars: string;
  tooMany: string;
  /** The user came back from the page of {server} without granting the necessary access. */
  missingScope: string;
  /** The user came back from the page of {server} too late. */
  expired: string;
  /** The user came back from the page of {server} a second time: the first may have connected their calendar. */
  used: string;
  /** The account is of a kind that {other} serves and {server} does not. */
  wrongAccount: string;
  continueWith: string;
  /** An administrator of the user's organization has to agree first. */
  adminConsent: string;
  /** A policy of the user's organization stopped the sign-in. */
  blocked: string;
  noMailbox: string;
  goBack: string;
  connectedTitle: string;
  /** The same if the calendar is added when the user is back. */
  pendingTitle: string;
  finish: string;
  staleTitle: string;
  stale: string;
  staleCookies: string;
  again: string;
  linkEndedTitle: string;
  linkEnded: string;
  linkEndedHint: string;
  elsewhereTitle: string;
  elsewhere: string;
  elsewhereHint: string;
  /** The user signed in with another account than that of the reconnect link. */
  otherAccountTitle: string;
  otherAccount: string;
  otherAccountHint: string;
  another: string;
  unusableTitle: string;
  /** `sign_in`: the user came back from a provider's page, and their session is unknown by now, or always was. */
  unusable: { client: string; disabled: string; redirect_uri: string; repeated: string; form: string; sign_in: string };
  nothingConnected: string;
  /** Whom to contact if the application is known. */
  support: string;
  /** Whom to contact if it is not. */
  someSupport: string;
  maintenanceTitle: string;
  maintenance: string;
  failedTitle: string;
  failed: string;
  failedNumber: string;
}

/** The form of one provider. */
export interface ProviderWords {
  title: string;
  lead: string;
  steps: string[];
  username: string;
  password: string;
  passwordHint: string;
  noUsername: string;
  noPassword: string;
  wrongPassword: string;
  down: string;
}
