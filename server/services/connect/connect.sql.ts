import { bool, oneOf, statement, text } from "@/server/db/statement";

interface RedirectingApplication {
  id: string;
  name: string;
  plan: "developer" | "standard";
  /** The redirect URI is one of its own. */
  registered: boolean;
}

export const applicationOfClient = statement<RedirectingApplication>(
  `SELECT a.id, a.name, a.plan, EXISTS (SELECT FROM redirect_uris r WHERE r.application_id = a.id AND r.uri = $2) AS registered
FROM applications a WHERE a.client_id = $1`,
  { id: text, name: text, plan: oneOf<RedirectingApplication["plan"]>(), registered: bool },
);
