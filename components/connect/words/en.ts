import type { Words } from "@/components/connect/words/words";

export const en: Words = {
  chooseTitle: "Connect a calendar",
  wouldLike: "{app} would like to use your calendar",
  may: [
    "See your calendars and the events in them",
    "See when you are free and when you are busy",
    "Add, change and delete events, and invite people",
  ],
  where: "Where do you keep your calendar?",
  nothingOffered: "No calendar service can be connected here yet. Please tell the people who run {app}.",
  cancel: "Cancel and go back to {app}",
  signInTitle: "Connect your iCloud calendar",
  signInLead:
    "Apple gives other services a password of their own. It opens your calendar and can be taken back; your real password stays with you.",
  steps: [
    "Open {link} and sign in.",
    "Under Sign-In and Security, choose App-Specific Passwords.",
    "Make one, call it {app}, and copy it here.",
  ],
  newTab: "opens in a new tab",
  username: "Apple Account e-mail",
  password: "App-specific password",
  passwordHint: "It looks like abcd-efgh-ijkl-mnop",
  connect: "Connect",
  mayTitle: "What {app} may see and do",
  otherCalendar: "Use another calendar",
  noUsername: "Enter the e-mail address of your Apple Account.",
  noPassword: "Enter the app-specific password.",
  wrongPassword:
    "Apple did not accept this address and password. It has to be an app-specific password, not the one you sign in to Apple with.",
  noCalendars: "There is no calendar in this account. Make one in the Calendar app, or use another account.",
  down: "iCloud does not answer at the moment. Nothing was connected. Please try again in a few minutes.",
  tooMany: "That was tried too often. Please wait a minute, then try again.",
  goBack: "Go back to {app}",
  staleTitle: "This page is too old",
  stale: "To keep you safe, it lasts for 30 minutes and only in the browser that opened it. Nothing was connected.",
  staleCookies: "If you see this again, allow cookies for this site.",
  again: "Start again",
  unusableTitle: "This link does not work",
  unusable: {
    client: "The application that sent you here is not known to us.",
    redirect_uri: "The application that sent you here wants the answer at an address that it has not registered.",
    repeated: "The application that sent you here said the same thing twice.",
    form: "What arrived here could not be read.",
  },
  nothingConnected:
    "Nothing was connected. Go back and try again; if it stays so, tell the people who run the application.",
  failedTitle: "Something went wrong on our side",
  failed: "Nothing is lost. Please try again in a few minutes.",
  failedNumber: "If it stays so, this number helps us to find out why:",
};
