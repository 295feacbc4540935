import type { Words } from "@/components/connect/words/words";

export const de: Words = {
  chooseTitle: "Kalender verbinden",
  wouldLike: {
    full: "{app} möchte auf Ihren Kalender zugreifen",
    read: "{app} möchte Ihren Kalender sehen",
    free_busy: "{app} möchte sehen, wann Sie beschäftigt sind",
  },
  may: {
    full: [
      "Ihre Kalender und alle Termine darin sehen, auch Gäste, Orte und Notizen",
      "Sehen, wann Sie frei oder beschäftigt sind",
      "Termine anlegen, Gäste einladen und die von der App angelegten Termine ändern oder löschen",
    ],
    read: [
      "Ihre Kalender und alle Termine darin sehen, auch Gäste, Orte und Notizen",
      "Sehen, wann Sie frei oder beschäftigt sind",
    ],
    free_busy: ["Sehen, wann Sie frei oder beschäftigt sind", "Die Namen Ihrer Kalender sehen"],
  },
  mayChangeOthers:
    "Termine ändern oder löschen, die Sie oder andere angelegt haben, und für Sie auf Einladungen antworten",
  selfRegistered:
    "{app} hat sich selbst bei Almanac registriert. Almanac weiß nicht, wer diese App betreibt. Nach dem Verbinden kehren Sie zu {server} zurück.",
  mayOnly: {
    read: "{app} kann Ihre Termine sehen, aber nicht ändern.",
    free_busy: "{app} sieht, wann Sie beschäftigt sind, aber nicht, was in Ihren Terminen steht.",
  },
  where: "Bei welchem Anbieter ist Ihr Kalender?",
  nothingOffered: "Hier ist noch kein Kalenderdienst verfügbar. Wenden Sie sich an den Support von {app}.",
  cancel: "Abbrechen und zurück zu {app}",
  joins: "Dieser Kalender wird zu {account} hinzugefügt",
  joinsHint:
    "Fahren Sie nur fort, wenn dieses Konto bei {app} Ihnen gehört. Jeder, der es nutzt, kann Ihre Termine sehen.",
  joinsHintFreeBusy:
    "Fahren Sie nur fort, wenn dieses Konto bei {app} Ihnen gehört. Jeder, der es nutzt, kann sehen, wann Sie beschäftigt sind.",
  reconnects: "{account} erneut verbinden",
  reconnectsHint: "Melden Sie sich mit diesem Konto an. Danach sind Ihre Kalender wieder wie zuvor verfügbar.",
  refuse: "Nicht Ihr Konto? Kalender nicht hinzufügen",
  icloud: {
    title: "iCloud-Kalender verbinden",
    lead: "Bei Apple können Sie für jede App ein eigenes Passwort erstellen. Es gewährt Zugriff auf Ihren Kalender, Sie können es jederzeit widerrufen, und Ihr Apple-Passwort bekommen wir nie zu sehen.",
    steps: [
      "Öffnen Sie {link} und melden Sie sich an.",
      "Wählen Sie unter „Anmeldung und Sicherheit“ die Option „App-spezifische Passwörter“.",
      "Erstellen Sie ein Passwort mit dem Namen „{app}“ und fügen Sie es hier ein.",
    ],
    username: "E-Mail-Adresse Ihres Apple Accounts",
    password: "App-spezifisches Passwort",
    passwordHint: "Es sieht so aus: abcd-efgh-ijkl-mnop",
    noUsername: "Geben Sie die E-Mail-Adresse Ihres Apple Accounts ein.",
    noPassword: "Geben Sie das App-spezifische Passwort ein.",
    wrongPassword:
      "E-Mail-Adresse oder Passwort ist falsch. Verwenden Sie ein App-spezifisches Passwort, nicht das Passwort Ihres Apple Accounts.",
    down: "iCloud antwortet gerade nicht. Es wurde nichts verbunden. Versuchen Sie es in ein paar Minuten noch einmal.",
  },
  caldav: {
    title: "Kalender auf {server} verbinden",
    lead: "Melden Sie sich mit Ihrem Benutzernamen und Passwort für {server} an. Wenn der Server App-Passwörter anbietet, erstellen Sie eines für {app}: Sie können es jederzeit widerrufen.",
    steps: [],
    username: "Benutzername oder E-Mail-Adresse",
    password: "Passwort",
    passwordHint: "Wir speichern es verschlüsselt und verwenden es nur, um Ihren Kalender zu synchronisieren.",
    noUsername: "Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein.",
    noPassword: "Geben Sie Ihr Passwort ein.",
    wrongPassword: "Benutzername oder Passwort ist falsch.",
    down: "{server} antwortet gerade nicht. Es wurde nichts verbunden. Versuchen Sie es in ein paar Minuten noch einmal.",
  },
  newTab: "wird in einem neuen Tab geöffnet",
  supportPage: "Support",
  privacyPage: "Datenschutz",
  connect: "Verbinden",
  connecting: "Wird verbunden …",
  language: "Sprache",
  mayTitle: "Worauf {app} zugreifen kann",
  otherCalendar: "Anderen Anbieter wählen",
  unsupportedSignIn:
    "Dieser Kalenderserver verlangt ein Anmeldeverfahren, das wir nicht unterstützen. Es wurde nichts verbunden. Der Administrator des Servers kann die Anmeldung mit Passwort zulassen.",
  noCalendars:
    "Dieses Konto enthält keinen Kalender. Legen Sie in Ihrer Kalender-App einen an oder verwenden Sie ein anderes Konto.",
  tooMany: "Zu viele Versuche. Warten Sie eine Minute und versuchen Sie es dann noch einmal.",
  missingScope:
    "Sie haben den Zugriff auf Ihre {server}-Kalender nicht erlaubt. Es wurde nichts verbunden. Versuchen Sie es noch einmal und wählen Sie alle Berechtigungen aus.",
  expired: "Die Anmeldung bei {server} ist abgelaufen. Es wurde nichts verbunden. Versuchen Sie es noch einmal.",
  used: "Diese Anmeldung bei {server} wurde bereits verwendet. Wenn Ihr Kalender noch nicht verbunden ist, versuchen Sie es noch einmal.",
  wrongAccount:
    "Dieses Konto ist kein {server}-Konto. Es wurde nichts verbunden. Sie können es als {other}-Konto verbinden.",
  continueWith: "Weiter mit {other}",
  adminConsent:
    "Ihre Organisation verlangt die Zustimmung eines Administrators. Es wurde nichts verbunden. Bitten Sie Ihren Administrator, den Zugriff bei {server} zu genehmigen, und versuchen Sie es dann noch einmal.",
  blocked:
    "Eine Sicherheitsrichtlinie Ihrer Organisation hat die Anmeldung bei {server} verhindert. Es wurde nichts verbunden. Melden Sie sich noch einmal an und schließen Sie alle Schritte ab oder wenden Sie sich an Ihren Administrator.",
  noMailbox:
    "Dieses Konto hat kein Postfach bei {server} und damit keinen Kalender. Es wurde nichts verbunden. Verwenden Sie ein anderes Konto.",
  goBack: "Zurück zu {app}",
  connectedTitle: "Kalender verbunden",
  pendingTitle: "Fast fertig",
  finish: "Kehren Sie zu {app} zurück, um den Vorgang abzuschließen.",
  staleTitle: "Diese Seite ist abgelaufen",
  stale:
    "Zu Ihrer Sicherheit funktioniert sie nur 30 Minuten lang und nur in dem Browser, in dem sie geöffnet wurde. Es wurde nichts verbunden.",
  staleCookies: "Wenn Sie diese Meldung erneut sehen, erlauben Sie Cookies für diese Website.",
  again: "Von vorn beginnen",
  linkEndedTitle: "Dieser Link ist nicht mehr gültig",
  linkEnded: "Er ist abgelaufen oder wurde schon verwendet. Es wurde nichts verbunden.",
  linkEndedHint: "Kehren Sie zu {app} zurück und versuchen Sie es dort noch einmal.",
  elsewhereTitle: "Dieser Kalender ist bereits verbunden",
  elsewhere: "Er gehört zu einem anderen Konto bei {app} und kann deshalb nicht zu {account} hinzugefügt werden.",
  elsewhereHint: "Es wurde nichts geändert. Sie können stattdessen ein anderes Kalenderkonto verbinden.",
  otherAccountTitle: "Das ist ein anderes Konto",
  otherAccount:
    "Mit diesem Link wird {account} erneut verbunden. Sie haben sich aber mit einem anderen Konto angemeldet.",
  otherAccountHint: "Es wurde nichts geändert. Melden Sie sich mit dem Konto an, für das dieser Link bestimmt ist.",
  another: "Anderes Konto verwenden",
  unusableTitle: "Dieser Link funktioniert nicht",
  unusable: {
    client: "Die App, von der Sie kommen, ist uns nicht bekannt.",
    disabled: "Die App, von der Sie kommen, kann zurzeit keine Kalender verbinden.",
    redirect_uri: "Die App, von der Sie kommen, hat eine Rücksprungadresse angegeben, die nicht registriert ist.",
    repeated: "Der Link enthält eine Angabe doppelt.",
    form: "Wir konnten diese Anfrage nicht lesen.",
    sign_in: "Diese Anmeldung wurde nicht hier gestartet, oder sie liegt zu lange zurück.",
  },
  nothingConnected: "Es wurde nichts verbunden. Kehren Sie zurück und versuchen Sie es noch einmal.",
  support: "Wenn das Problem weiter besteht, wenden Sie sich an den Support von {app}.",
  someSupport: "Wenn das Problem weiter besteht, wenden Sie sich an den Support der App, von der Sie kommen.",
  maintenanceTitle: "Wartungsarbeiten",
  maintenance:
    "Kalender können gerade nicht verbunden werden. Versuchen Sie es in ein paar Minuten noch einmal. Bereits verbundene Kalender sind nicht betroffen.",
  failedTitle: "Bei uns ist etwas schiefgegangen",
  failed: "Versuchen Sie es in ein paar Minuten noch einmal.",
  failedNumber: "Wenn das Problem weiter besteht, nennen Sie dem Support diese Anfrage-ID:",
};
