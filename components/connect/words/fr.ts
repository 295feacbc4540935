import type { Words } from "@/components/connect/words/words";

export const fr: Words = {
  chooseTitle: "Connecter un calendrier",
  wouldLike: "{app} souhaite utiliser votre calendrier",
  may: [
    "Voir vos calendriers et leurs événements",
    "Voir quand vous êtes libre et quand vous êtes occupé",
    "Ajouter, modifier et supprimer des événements, et inviter des personnes",
  ],
  where: "Où se trouve votre calendrier\u00a0?",
  nothingOffered:
    "Aucun service de calendrier ne peut encore être connecté ici. Merci de le signaler aux responsables de {app}.",
  cancel: "Annuler et revenir à {app}",
  signInTitle: "Connecter votre calendrier iCloud",
  signInLead:
    "Apple donne aux autres services un mot de passe qui leur est propre. Il ouvre votre calendrier et peut être révoqué\u00a0; votre vrai mot de passe reste chez vous.",
  steps: [
    "Ouvrez {link} et connectez-vous.",
    "Sous «\u00a0Connexion et sécurité\u00a0», choisissez «\u00a0Mots de passe pour applications\u00a0».",
    "Créez-en un, nommez-le {app} et copiez-le ici.",
  ],
  newTab: "s’ouvre dans un nouvel onglet",
  username: "Adresse e-mail du compte Apple",
  password: "Mot de passe pour application",
  passwordHint: "Il ressemble à abcd-efgh-ijkl-mnop",
  connect: "Connecter",
  mayTitle: "Ce que {app} peut voir et faire",
  otherCalendar: "Utiliser un autre calendrier",
  noUsername: "Saisissez l’adresse e-mail de votre compte Apple.",
  noPassword: "Saisissez le mot de passe pour application.",
  wrongPassword:
    "Apple n’a pas accepté cette adresse et ce mot de passe. Il faut un mot de passe pour application, et non celui avec lequel vous vous connectez à Apple.",
  noCalendars: "Ce compte ne contient aucun calendrier. Créez-en un dans l’app Calendrier ou utilisez un autre compte.",
  down: "iCloud ne répond pas pour le moment. Rien n’a été connecté. Merci de réessayer dans quelques minutes.",
  tooMany: "Il y a eu trop d’essais. Merci d’attendre une minute, puis de réessayer.",
  goBack: "Revenir à {app}",
  staleTitle: "Cette page est trop ancienne",
  stale:
    "Pour votre sécurité, elle est valable 30 minutes et seulement dans le navigateur qui l’a ouverte. Rien n’a été connecté.",
  staleCookies: "Si ce message revient, autorisez les cookies pour ce site.",
  again: "Recommencer",
  unusableTitle: "Ce lien ne fonctionne pas",
  unusable: {
    client: "Nous ne connaissons pas l’application qui vous a envoyé ici.",
    redirect_uri: "L’application qui vous a envoyé ici veut la réponse à une adresse qu’elle n’a pas enregistrée.",
    repeated: "L’application qui vous a envoyé ici a dit deux fois la même chose.",
    form: "Ce qui est arrivé ici est illisible.",
  },
  nothingConnected:
    "Rien n’a été connecté. Revenez en arrière et réessayez\u00a0; si cela persiste, signalez-le aux responsables de l’application.",
  failedTitle: "Une erreur s’est produite chez nous",
  failed: "Rien n’est perdu. Merci de réessayer dans quelques minutes.",
  failedNumber: "Si cela persiste, ce numéro nous aide à en trouver la cause\u00a0:",
};
