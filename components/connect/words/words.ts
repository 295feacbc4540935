/** What the connect page says, in one language. `{app}` is the application's name, `{link}` Apple's page. */
export interface Words {
  chooseTitle: string;
  wouldLike: string;
  /** What it may see and do. */
  may: [string, string, string];
  where: string;
  nothingOffered: string;
  cancel: string;
  signInTitle: string;
  signInLead: string;
  steps: [string, string, string];
  newTab: string;
  username: string;
  password: string;
  passwordHint: string;
  connect: string;
  mayTitle: string;
  otherCalendar: string;
  noUsername: string;
  noPassword: string;
  wrongPassword: string;
  noCalendars: string;
  down: string;
  tooMany: string;
  goBack: string;
  staleTitle: string;
  stale: string;
  staleCookies: string;
  again: string;
  unusableTitle: string;
  unusable: { client: string; redirect_uri: string; repeated: string; form: string };
  nothingConnected: string;
  failedTitle: string;
  failed: string;
  failedNumber: string;
}
