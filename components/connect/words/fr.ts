import type { Words } from "@/components/connect/words/words";

export const fr: Words = {
  chooseTitle: "Connecter un calendrier",
  wouldLike: {
    full: "{app} souhaite accéder à votre calendrier",
    read: "{app} souhaite voir votre calendrier",
    free_busy: "{app} souhaite voir quand vous êtes occupé",
  },
  may: {
    full: [
      "Voir vos calendriers et tous leurs événements, y compris les invités, les lieux et les notes",
      "Voir quand vous êtes libre ou occupé",
      "Ajouter des événements, inviter des personnes et modifier ou supprimer les événements que l’app a ajoutés",
    ],
    read: [
      "Voir vos calendriers et tous leurs événements, y compris les invités, les lieux et les notes",
      "Voir quand vous êtes libre ou occupé",
    ],
    free_busy: ["Voir quand vous êtes libre ou occupé", "Voir le nom de vos calendriers"],
  },
  mayChangeOthers:
    "Modifier ou supprimer des événements créés par vous ou par d’autres, et répondre aux invitations à votre place",
  selfRegistered:
    "L’app {app} s’est enregistrée elle-même. Almanac ne sait pas qui la gère. Une fois le calendrier connecté, vous reviendrez sur {server}.",
  mayOnly: {
    read: "{app} peut voir vos événements, mais pas les modifier.",
    free_busy: "{app} peut voir quand vous êtes occupé, mais pas le contenu de vos événements.",
  },
  where: "Choisissez votre calendrier",
  nothingOffered: "Aucun service de calendrier n’est encore disponible ici. Contactez l’assistance de {app}.",
  cancel: "Annuler et revenir à {app}",
  joins: "Ce calendrier sera ajouté à {account}",
  joinsHint:
    "Ne continuez que si ce compte {app} est le vôtre. Toute personne qui l’utilise pourra voir vos événements.",
  joinsHintFreeBusy:
    "Ne continuez que si ce compte {app} est le vôtre. Toute personne qui l’utilise pourra voir quand vous êtes occupé.",
  reconnects: "Reconnecter {account}",
  reconnectsHint: "Connectez-vous avec ce compte. Vous retrouverez vos calendriers tels quels.",
  refuse: "Ce n’est pas votre compte\u00a0? Ne pas ajouter le calendrier",
  icloud: {
    title: "Connecter votre calendrier iCloud",
    lead: "Apple vous permet de créer un mot de passe distinct pour chaque app. Il donne accès à votre calendrier, vous pouvez le révoquer à tout moment et nous ne voyons jamais votre mot de passe Apple.",
    steps: [
      "Ouvrez {link} et connectez-vous.",
      "Dans «\u00a0Connexion et sécurité\u00a0», choisissez «\u00a0Mots de passe pour applications\u00a0».",
      "Générez-en un nommé «\u00a0{app}\u00a0» et collez‑le ici.",
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
    lead: "Connectez-vous avec votre identifiant et votre mot de passe pour {server}. Si le serveur propose des mots de passe pour applications, créez-en un pour {app}\u00a0: vous pourrez le révoquer à tout moment.",
    steps: [],
    username: "Identifiant ou adresse e-mail",
    password: "Mot de passe",
    passwordHint: "Il est enregistré sous forme chiffrée et sert uniquement à synchroniser votre calendrier.",
    noUsername: "Saisissez votre identifiant ou votre adresse e-mail.",
    noPassword: "Saisissez votre mot de passe.",
    wrongPassword: "Identifiant ou mot de passe incorrect.",
    down: "{server} ne répond pas pour le moment. Rien n’a été connecté. Réessayez dans quelques minutes.",
  },
  newTab: "s’ouvre dans un nouvel onglet",
  supportPage: "Assistance",
  privacyPage: "Confidentialité",
  connect: "Connecter",
  connecting: "Connexion en cours…",
  language: "Langue",
  mayTitle: "Ce à quoi {app} peut accéder",
  otherCalendar: "Choisir un autre fournisseur",
  unsupportedSignIn:
    "Ce serveur de calendrier exige une méthode de connexion que nous ne prenons pas en charge. Rien n’a été connecté. L’administrateur du serveur peut autoriser la connexion par mot de passe.",
  noCalendars:
    "Ce compte ne contient aucun calendrier. Créez-en un dans votre app de calendrier ou utilisez un autre compte.",
  tooMany: "Trop de tentatives. Patientez une minute, puis réessayez.",
  missingScope:
    "Vous n’avez pas autorisé l’accès à vos calendriers {server}. Rien n’a été connecté. Réessayez et cochez toutes les autorisations.",
  expired: "La connexion à {server} a expiré. Rien n’a été connecté. Réessayez.",
  used: "Cette connexion à {server} a déjà été utilisée. Si votre calendrier n’est pas encore connecté, réessayez.",
  wrongAccount:
    "Ce compte n’est pas un compte {server}. Rien n’a été connecté. Vous pouvez le connecter en tant que compte {other}.",
  continueWith: "Continuer avec {other}",
  adminConsent:
    "Votre organisation exige l’accord d’un administrateur. Rien n’a été connecté. Demandez à votre administrateur d’autoriser l’accès à {server}, puis réessayez.",
  blocked:
    "Une règle de sécurité de votre organisation a bloqué la connexion à {server}. Rien n’a été connecté. Reconnectez-vous en suivant toutes les étapes ou contactez votre administrateur.",
  noMailbox:
    "Ce compte n’a pas de boîte mail {server}, et donc pas de calendrier. Rien n’a été connecté. Utilisez un autre compte.",
  goBack: "Revenir à {app}",
  connectedTitle: "Calendrier connecté",
  pendingTitle: "Presque terminé",
  finish: "Revenez à {app} pour terminer.",
  staleTitle: "Cette page a expiré",
  stale:
    "Pour votre sécurité, elle ne fonctionne que pendant 30 minutes et dans le navigateur où elle a été ouverte. Rien n’a été connecté.",
  staleCookies: "Si ce message réapparaît, autorisez les cookies pour ce site.",
  again: "Recommencer",
  linkEndedTitle: "Ce lien n’est plus valide",
  linkEnded: "Il a expiré ou a déjà été utilisé. Rien n’a été connecté.",
  linkEndedHint: "Revenez à {app} et réessayez.",
  elsewhereTitle: "Ce calendrier est déjà connecté",
  elsewhere: "Il est associé à un autre compte {app} et ne peut donc pas être ajouté à {account}.",
  elsewhereHint: "Rien n’a été modifié. Vous pouvez connecter un autre compte de calendrier.",
  otherAccountTitle: "Ce n’est pas le bon compte",
  otherAccount: "Ce lien permet de reconnecter {account}, mais vous vous êtes connecté avec un autre compte.",
  otherAccountHint: "Rien n’a été modifié. Connectez-vous avec le compte auquel le lien est destiné.",
  another: "Utiliser un autre compte",
  unusableTitle: "Ce lien ne fonctionne pas",
  unusable: {
    client: "Nous ne reconnaissons pas l’app qui vous a envoyé ici.",
    disabled: "L’app qui vous a envoyé ici ne peut pas connecter de calendrier pour le moment.",
    redirect_uri: "L’app qui vous a envoyé ici a utilisé une adresse de retour qu’elle n’a pas enregistrée.",
    repeated: "Le lien contient deux fois le même paramètre.",
    form: "Nous n’avons pas pu lire cette demande.",
    sign_in: "Cette connexion n’a pas été lancée ici, ou elle l’a été il y a trop longtemps.",
  },
  nothingConnected: "Rien n’a été connecté. Revenez en arrière et réessayez.",
  support: "Si le problème persiste, contactez l’assistance de {app}.",
  someSupport: "Si le problème persiste, contactez l’assistance de l’app qui vous a envoyé ici.",
  maintenanceTitle: "Maintenance en cours",
  maintenance:
    "Il n’est pas possible de connecter un calendrier pour le moment. Réessayez dans quelques minutes. Les calendriers déjà connectés ne sont pas concernés.",
  failedTitle: "Une erreur s’est produite de notre côté",
  failed: "Réessayez dans quelques minutes.",
  failedNumber: "Si le problème persiste, indiquez cet identifiant de demande à l’assistance\u00a0:",
};
