import type { Words } from "@/components/connect/words/words";

export const fr: Words = {
  chooseTitle: "Connecter un calendrier",
  wouldLike: "{app} souhaite accéder à votre calendrier",
  may: [
    "Voir vos calendriers et tous leurs événements, y compris les invités, les lieux et les notes",
    "Voir quand vous êtes libre ou occupé",
    "Ajouter des événements, inviter des personnes et modifier ou supprimer les événements ajoutés",
  ],
  where: "Où se trouve votre calendrier\u00a0?",
  nothingOffered: "Aucun service de calendrier n’est encore disponible ici. Contactez l’assistance de {app}.",
  cancel: "Annuler et revenir à {app}",
  joins: "Ce calendrier sera ajouté à {account}",
  joinsHint:
    "Ne continuez que si ce compte {app} est le vôtre. Toute personne qui l’utilise pourra voir vos événements.",
  refuse: "Ce n’est pas votre compte\u00a0? Ne pas ajouter le calendrier",
  icloud: {
    title: "Connecter votre calendrier iCloud",
    lead: "Apple vous permet de créer un mot de passe distinct pour chaque app. Il donne accès à votre calendrier, vous pouvez le révoquer à tout moment et nous ne voyons jamais votre mot de passe Apple.",
    steps: [
      "Ouvrez {link} et connectez-vous.",
      "Dans «\u00a0Connexion et sécurité\u00a0», choisissez «\u00a0Mots de passe pour applications\u00a0».",
      "Générez-en un nommé «\u00a0{app}\u00a0» et collez-le ici.",
    ],
    username: "Adresse e-mail de votre compte Apple",
    password: "Mot de passe pour application",
    passwordHint: "Il ressemble à abcd-efgh-ijkl-mnop",
    noUsername: "Saisissez l’adresse e-mail de votre compte Apple.",
    noPassword: "Saisissez le mot de passe pour application.",
    wrongPassword:
      "Adresse e-mail ou mot de passe incorrect. Utilisez un mot de passe pour application, et non celui de votre compte Apple.",
    down: "iCloud ne répond pas pour le moment. Rien n’a été connecté. Réessayez dans quelques minutes.",
  },
  caldav: {
    title: "Connecter votre calendrier sur {server}",
    lead: "Connectez-vous avec votre identifiant et votre mot de passe pour {server}. Si le serveur propose des mots de passe d’application, créez-en un pour {app}\u00a0: vous pourrez le révoquer à tout moment.",
    steps: [],
    username: "Identifiant ou adresse e-mail",
    password: "Mot de passe",
    passwordHint: "Il est stocké chiffré et sert uniquement à synchroniser votre calendrier.",
    noUsername: "Saisissez votre identifiant ou votre adresse e-mail.",
    noPassword: "Saisissez votre mot de passe.",
    wrongPassword: "Identifiant ou mot de passe incorrect.",
    down: "{server} ne répond pas pour le moment. Rien n’a été connecté. Réessayez dans quelques minutes.",
  },
  newTab: "s’ouvre dans un nouvel onglet",
  supportPage: "Assistance",
  privacyPage: "Confidentialité",
  connect: "Connecter",
  mayTitle: "Ce à quoi {app} peut accéder",
  otherCalendar: "Utiliser un autre calendrier",
  unsupportedSignIn:
    "Ce serveur de calendriers exige une méthode de connexion qui n’est pas prise en charge. Rien n’a été connecté. L’administrateur du serveur peut autoriser les mots de passe.",
  noCalendars:
    "Ce compte ne contient aucun calendrier. Créez-en un dans votre app de calendrier ou utilisez un autre compte.",
  tooMany: "Trop de tentatives. Patientez une minute, puis réessayez.",
  missingScope:
    "Vous n’avez pas autorisé l’accès à vos calendriers chez {server}. Rien n’a été connecté. Réessayez et cochez toutes les autorisations.",
  expired: "La connexion à {server} a expiré. Rien n’a été connecté. Réessayez.",
  used: "Cette connexion à {server} a déjà été utilisée. Si votre calendrier n’est pas encore connecté, réessayez.",
  wrongAccount:
    "Ce compte n’est pas un compte {server}. Rien n’a été connecté. Vous pouvez le connecter en tant que compte {other}.",
  continueWith: "Continuer avec {other}",
  adminConsent:
    "Votre organisation exige l’accord d’un administrateur. Rien n’a été connecté. Demandez à votre administrateur d’autoriser l’accès chez {server}, puis réessayez.",
  blocked:
    "Une règle de sécurité de votre organisation a bloqué la connexion à {server}. Rien n’a été connecté. Reconnectez-vous en suivant toutes les étapes ou contactez votre administrateur.",
  noMailbox:
    "Ce compte n’a pas de boîte aux lettres chez {server}, et donc pas de calendrier. Rien n’a été connecté. Utilisez un autre compte.",
  goBack: "Revenir à {app}",
  staleTitle: "Cette page a expiré",
  stale:
    "Pour votre sécurité, elle ne fonctionne que pendant 30 minutes et dans le navigateur où elle a été ouverte. Rien n’a été connecté.",
  staleCookies: "Si ce message réapparaît, autorisez les cookies pour ce site.",
  again: "Recommencer",
  linkEndedTitle: "Ce lien n’est plus valide",
  linkEnded:
    "Les liens qui ajoutent un calendrier à un compte expirent au bout de 5 minutes et ne fonctionnent qu’une fois. Rien n’a été connecté.",
  linkEndedHint: "Revenez à {app}, puis réessayez.",
  elsewhereTitle: "Ce calendrier est déjà connecté",
  elsewhere: "Il est associé à un autre compte {app} et ne peut donc pas être ajouté à {account}.",
  elsewhereHint: "Rien n’a été modifié. Vous pouvez connecter un autre compte de calendrier.",
  another: "Utiliser un autre compte",
  unusableTitle: "Ce lien ne fonctionne pas",
  unusable: {
    client: "Nous ne reconnaissons pas l’app qui vous a envoyé ici.",
    disabled: "L’app qui vous a envoyé ici ne peut pas connecter d’agenda pour le moment.",
    redirect_uri: "L’app qui vous a envoyé ici a utilisé une adresse de retour qu’elle n’a pas enregistrée.",
    repeated: "Le lien contient deux fois le même paramètre.",
    form: "Nous n’avons pas pu lire cette requête.",
    sign_in: "Cette connexion n’a pas été lancée ici, ou elle l’a été il y a trop longtemps.",
  },
  nothingConnected: "Rien n’a été connecté. Revenez en arrière et réessayez.",
  support: "Si le problème persiste, contactez l’assistance de {app}.",
  someSupport: "Si le problème persiste, contactez l’assistance de l’app d’où vous venez.",
  failedTitle: "Une erreur s’est produite de notre côté",
  failed: "Réessayez dans quelques minutes.",
  failedNumber: "Si le problème persiste, indiquez cet identifiant de requête à l’assistance\u00a0:",
};
