import { bool, jsonText, nullable, oneOf, statement, text } from "@/server/db/statement";
import type { Branding } from "@/server/domain/branding/branding";
import type { CaldavServer } from "@/server/providers/offers";

interface RedirectingApplication {
  id: string;
  name: string;
  plan: "developer" | "standard";
  isDisabled: boolean;
  /** It may change events that others created, once the page has said so. */
  editForeignEvents: boolean;
  /** It has no secret to show, so its codes need a challenge. */
  publicClient: boolean;
  /** Nobody knows who runs it. */
  selfRegistered: boolean;
  /** Its assistants may write. */
  mcpWrites: boolean;
  /** A page says that the calendar is connected before the user returns. */
  connectSuccessPage: boolean;
  /** Whether the redirect URI is one of the application's own. */
  registered: boolean;
  /** Those of a public client at which the port may be another. */
  loopbackUris: string[];
  servers: CaldavServer[];
  /** Null: the application has no branding of its own. */
  branding: Branding | null;
}

export const applicationOfClient = statement<RedirectingApplication>(
  `SELECT a.id, a.name, a.plan, a.disabled_at IS NOT NULL AS "isDisabled", a.edit_foreign_events AS "editForeignEvents",
  a.public_client AS "publicClient", a.self_registered AS "selfRegistered", a.mcp_writes AS "mcpWrites", a.connect_success_page AS "connectSuccessPage",
  EXISTS (SELECT FROM redirect_uris r WHERE r.application_id = a.id AND r.uri = $2) AS registered,
  (SELECT coalesce(json_agg(r.uri), '[]') FROM redirect_uris r
    WHERE r.application_id = a.id AND a.public_client AND r.uri LIKE 'http:%') AS "loopbackUris",
  (SELECT coalesce(json_agg(json_build_object('id', s.id, 'name', s.name, 'url', s.url, 'help', s.help) ORDER BY s.created_at, s.id), '[]')
    FROM caldav_servers s WHERE s.application_id = a.id) AS servers,
  (SELECT json_build_object('logo', b.logo_hash, 'accent', b.accent, 'supportUrl', b.support_url, 'privacyUrl', b.privacy_url)
    FROM application_brandings b WHERE b.application_id = a.id) AS branding
FROM applications a WHERE a.client_id = $1`,
  {
    id: text,
    name: text,
    plan: oneOf<RedirectingApplication["plan"]>(),
    isDisabled: bool,
    editForeignEvents: bool,
    publicClient: bool,
    selfRegistered: bool,
    mcpWrites: bool,
    connectSuccessPage: bool,
    registered: bool,
    loopbackUris: jsonText<string[]>(),
    servers: jsonText(),
    branding: nullable(jsonText<Branding>()),
  },
);
