import { KNOWN_SCOPES } from "@/server/domain/grants";
import { env } from "@/server/env";
import { languages } from "@/server/http/connect/language";
import { openExchange } from "@/server/http/exchange";

/**
 * Serves GET /.well-known/oauth-authorization-server: what an OAuth client library needs to connect (RFC 8414). The
 * issuer is the origin of the connect page. It is not in the request log, because it belongs to no application.
 */
export function oauthMetadata(request: Request): Response {
  return metadataResponse(request, metadata());
}

/**
 * Serves GET /.well-known/oauth-protected-resource: where a client of the MCP server gets its token (RFC 9728). With and
 * without the path of the resource, since clients ask for either.
 */
export function protectedResourceMetadata(request: Request): Response {
  const { APP_URL, BASE_URL } = env();
  return metadataResponse(request, {
    resource: `${BASE_URL}/mcp`,
    resource_name: "Almanac",
    authorization_servers: [APP_URL],
    scopes_supported: KNOWN_SCOPES,
    bearer_methods_supported: ["header"],
    resource_documentation: `${APP_URL}/docs/assistants`,
  });
}

function metadataResponse(request: Request, value: object): Response {
  const { headers } = openExchange(request);
  return new Response(request.method === "HEAD" ? null : JSON.stringify(value), {
    headers: {
      ...headers,
      "content-type": "application/json",
      "cache-control": "public, max-age=300",
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
    },
  });
}

const clientAuthentication = ["client_secret_basic", "client_secret_post", "none"];

function metadata() {
  const { APP_URL: issuer, BASE_URL: api, CLIENT_REGISTRATION } = env();
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${api}/oauth/token`,
    token_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint: `${api}/oauth/token/revoke`,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    ...(CLIENT_REGISTRATION === "on" && { registration_endpoint: `${api}/oauth/register` }),
    userinfo_endpoint: `${api}/v1/userinfo`,
    scopes_supported: KNOWN_SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    ui_locales_supported: languages,
    service_documentation: `${issuer}/docs`,
  };
}
