import type { Words } from "@/components/connect/words/words";

export const es: Words = {
  chooseTitle: "Conectar un calendario",
  wouldLike: "{app} quiere usar tu calendario",
  may: [
    "Ver tus calendarios y los eventos que contienen",
    "Ver cuándo estás libre y cuándo ocupado",
    "Añadir, cambiar y eliminar eventos, e invitar a personas",
  ],
  where: "¿Dónde tienes tu calendario?",
  nothingOffered: "Aquí todavía no se puede conectar ningún servicio. Avisa, por favor, a quienes gestionan {app}.",
  cancel: "Cancelar y volver a {app}",
  signInTitle: "Conectar tu calendario de iCloud",
  signInLead:
    "Apple da a otros servicios una contraseña propia. Abre tu calendario y se puede revocar; tu contraseña de verdad se queda contigo.",
  steps: [
    "Abre {link} e inicia sesión.",
    "En «Inicio de sesión y seguridad», elige «Contraseñas de apps».",
    "Crea una, llámala {app} y cópiala aquí.",
  ],
  newTab: "se abre en una pestaña nueva",
  username: "Correo de la cuenta de Apple",
  password: "Contraseña de app",
  passwordHint: "Tiene este aspecto: abcd-efgh-ijkl-mnop",
  connect: "Conectar",
  mayTitle: "Lo que {app} puede ver y hacer",
  otherCalendar: "Usar otro calendario",
  noUsername: "Escribe el correo de tu cuenta de Apple.",
  noPassword: "Escribe la contraseña de app.",
  wrongPassword:
    "Apple no ha aceptado este correo y esta contraseña. Tiene que ser una contraseña de app, no aquella con la que inicias sesión en Apple.",
  noCalendars: "En esta cuenta no hay ningún calendario. Crea uno en la app Calendario o usa otra cuenta.",
  down: "iCloud no responde en este momento. No se ha conectado nada. Inténtalo de nuevo dentro de unos minutos.",
  tooMany: "Se ha intentado demasiadas veces. Espera un minuto e inténtalo de nuevo.",
  goBack: "Volver a {app}",
  staleTitle: "Esta página es demasiado antigua",
  stale: "Por tu seguridad, vale 30 minutos y solo en el navegador que la abrió. No se ha conectado nada.",
  staleCookies: "Si vuelves a ver esto, permite las cookies de este sitio.",
  again: "Empezar de nuevo",
  unusableTitle: "Este enlace no funciona",
  unusable: {
    client: "No conocemos la aplicación que te ha enviado aquí.",
    redirect_uri: "La aplicación que te ha enviado aquí quiere la respuesta en una dirección que no ha registrado.",
    repeated: "La aplicación que te ha enviado aquí ha dicho lo mismo dos veces.",
    form: "Lo que ha llegado aquí no se puede leer.",
  },
  nothingConnected:
    "No se ha conectado nada. Vuelve atrás e inténtalo de nuevo; si sigue igual, avisa a quienes gestionan la aplicación.",
  failedTitle: "Algo ha fallado por nuestra parte",
  failed: "No se ha perdido nada. Inténtalo de nuevo dentro de unos minutos.",
  failedNumber: "Si sigue igual, este número nos ayuda a encontrar el motivo:",
};
