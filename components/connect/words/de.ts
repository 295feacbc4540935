import type { Words } from "@/components/connect/words/words";

export const de: Words = {
  chooseTitle: "Kalender verbinden",
  wouldLike: "{app} möchte Ihren Kalender verwenden",
  may: [
    "Ihre Kalender und die Termine darin sehen",
    "Sehen, wann Sie frei und wann Sie beschäftigt sind",
    "Termine anlegen, ändern und löschen und Personen einladen",
  ],
  where: "Wo führen Sie Ihren Kalender?",
  nothingOffered: "Hier kann noch kein Kalenderdienst verbunden werden. Bitte sagen Sie es den Betreibern von {app}.",
  cancel: "Abbrechen und zurück zu {app}",
  signInTitle: "Ihren iCloud-Kalender verbinden",
  signInLead:
    "Apple gibt anderen Diensten ein eigenes Passwort. Es öffnet Ihren Kalender und lässt sich widerrufen; Ihr richtiges Passwort bleibt bei Ihnen.",
  steps: [
    "Öffnen Sie {link} und melden Sie sich an.",
    "Wählen Sie unter „Anmeldung und Sicherheit“ die „App-spezifischen Passwörter“.",
    "Erstellen Sie eines, nennen Sie es {app} und kopieren Sie es hierher.",
  ],
  newTab: "öffnet einen neuen Tab",
  username: "E-Mail-Adresse des Apple Accounts",
  password: "App-spezifisches Passwort",
  passwordHint: "Es sieht so aus: abcd-efgh-ijkl-mnop",
  connect: "Verbinden",
  mayTitle: "Was {app} sehen und tun darf",
  otherCalendar: "Einen anderen Kalender verwenden",
  noUsername: "Geben Sie die E-Mail-Adresse Ihres Apple Accounts ein.",
  noPassword: "Geben Sie das App-spezifische Passwort ein.",
  wrongPassword:
    "Apple hat diese Adresse und dieses Passwort nicht angenommen. Es muss ein App-spezifisches Passwort sein, nicht das, mit dem Sie sich bei Apple anmelden.",
  noCalendars:
    "In diesem Account gibt es keinen Kalender. Legen Sie in der Kalender-App einen an, oder nehmen Sie einen anderen Account.",
  down: "iCloud antwortet gerade nicht. Es wurde nichts verbunden. Bitte versuchen Sie es in einigen Minuten noch einmal.",
  tooMany: "Das wurde zu oft versucht. Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.",
  goBack: "Zurück zu {app}",
  staleTitle: "Diese Seite ist zu alt",
  stale:
    "Zu Ihrer Sicherheit gilt sie 30 Minuten lang und nur in dem Browser, der sie geöffnet hat. Es wurde nichts verbunden.",
  staleCookies: "Falls Sie das noch einmal sehen, erlauben Sie dieser Website Cookies.",
  again: "Neu beginnen",
  unusableTitle: "Dieser Link funktioniert nicht",
  unusable: {
    client: "Die Anwendung, von der Sie kommen, ist uns nicht bekannt.",
    redirect_uri: "Die Anwendung, von der Sie kommen, will die Antwort an eine Adresse, die sie nicht eingetragen hat.",
    repeated: "Die Anwendung, von der Sie kommen, hat dasselbe zweimal gesagt.",
    form: "Was hier ankam, war nicht lesbar.",
  },
  nothingConnected:
    "Es wurde nichts verbunden. Gehen Sie zurück und versuchen Sie es noch einmal; bleibt es dabei, sagen Sie es den Betreibern der Anwendung.",
  failedTitle: "Bei uns ist etwas schiefgegangen",
  failed: "Es ist nichts verloren. Bitte versuchen Sie es in einigen Minuten noch einmal.",
  failedNumber: "Bleibt es dabei, hilft uns diese Nummer, den Grund zu finden:",
};
