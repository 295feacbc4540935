import { code, type Guide, recorded, step } from "@/components/docs/guide";
import { findOperation } from "@/components/docs/operations";
import { limits } from "@/server/http/limits";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** Secrets, tokens, and how a connection begins, is renewed and ends. */
export function authenticationGuide(document: OpenApiDocument): Guide {
  const pages = findOperation(document, "authorize")?.server ?? document.servers[0]?.url ?? "";
  return {
    name: "Authentication",
    path: "/docs/authentication",
    title: "Authentication",
    lead: "OAuth 2.0: your application has a client id and secret, and each account has an access token and a refresh token.",
    sections: [
      {
        id: "credentials",
        title: "Which credential where",
        blocks: [
          [
            "| Credential | Where it is sent | Lifetime |",
            "|---|---|---|",
            "| Client id and secret | in the body of `/oauth/token`, `/oauth/token/revoke` and `/v1/application_calendars`, or as HTTP Basic | until your Almanac administrator retires the secret |",
            `| Access token, \`at_…\` | \`Authorization: Bearer …\` on every other \`/v1\` endpoint | ${limits.accessToken} |`,
            "| Refresh token, `rt_…` | in the body of `/oauth/token` | until the connection is revoked; it never changes |",
            `| Authorization code | in the body of \`/oauth/token\` | ${limits.code}, single use |`,
            `| Link token, \`lt_…\` | \`link_token\` of the connect page | ${limits.linkToken}, single use |`,
          ].join("\n"),
          "HTTP Basic is what most OAuth libraries send by default: `Authorization: Basic` with the base64 of `client_id:client_secret`, each percent-encoded. If the body has credentials too, they must be the same.",
          "Keep secrets and tokens on your server. Never put them into a page, an app or a log.",
        ],
      },
      {
        id: "connect",
        title: "Connect a user",
        blocks: [
          "1. Send the user's browser to the connect page, with a random `state` that you keep in the user's session.\n2. The user chooses a provider and signs in there.\n3. The browser returns to your `redirect_uri` with `code` and `state`. Compare the `state`, then exchange the code.",
          code("text", "The link to the connect page", [
            `${pages}/oauth/authorize?response_type=code&client_id=your-client-id&redirect_uri=https://app.acme.io/callback&state=b1946ac9`,
          ]),
          step({
            name: "Exchange the code",
            request: {
              method: "POST",
              url: "{API}/oauth/token",
              form: {
                client_id: "{CLIENT_ID}",
                client_secret: "{CLIENT_SECRET}",
                grant_type: "authorization_code",
                code: "{CODE}",
                redirect_uri: "https://app.acme.io/callback",
              },
            },
            response: recorded(document, "createToken", "code"),
          }),
          "`error=access_denied` means that the user cancelled, or that the calendar account already belongs to another account of your application. `redirect_uri` must match a registered one exactly. Use PKCE (`code_challenge` with `S256`) if the code could be seen by anyone but your server.",
          `OAuth libraries find the addresses by themselves: \`${pages}/.well-known/oauth-authorization-server\` lists them (RFC 8414).`,
        ],
      },
      {
        id: "refresh",
        title: "Refresh an access token",
        blocks: [
          `An access token is valid for ${limits.accessToken}. Refresh it shortly before it expires, or after a 401, and retry once. Older access tokens stay valid until they expire, so several processes can refresh at the same time.`,
          step({
            name: "Refresh the access token",
            request: {
              method: "POST",
              url: "{API}/oauth/token",
              form: {
                client_id: "{CLIENT_ID}",
                client_secret: "{CLIENT_SECRET}",
                grant_type: "refresh_token",
                refresh_token: "{REFRESH_TOKEN}",
              },
            },
            response: recorded(document, "createToken", "refresh"),
          }),
        ],
      },
      {
        id: "reconnect",
        title: "Reconnect",
        blocks: [
          "There are two reasons to ask the user for a new connection:",
          [
            "| What you see | What happened | What to do |",
            "|---|---|---|",
            "| A refresh fails with `invalid_grant` | The connection was revoked. | Send the user to the connect page. You get new tokens. |",
            "| `profile_disconnected`, or `profile_connected` is `false` | The provider no longer accepts the connection: the user changed the password or removed your access. | Send the user to the connect page. The tokens you have keep working, and so do your channels. |",
          ].join("\n"),
          "A user who connects the same calendar account again gets the same account: ids, channels and managed events stay.",
        ],
      },
      {
        id: "link",
        title: "Add a calendar account",
        blocks: [
          `Create a link token and add \`link_token=…\` to the link to the connect page within ${limits.linkToken}. What the user connects then joins this account as another profile.`,
          step({
            name: "Create a link token",
            request: { method: "POST", url: "{API}/v1/link_tokens", token: true },
            response: code("json", "Response 200", [
              '{ "link_token": "lt_6CtNg5sMmmMCNxySA6wXupOPV4opjW1yxIPiVegvgE4" }',
            ]),
          }),
        ],
      },
      {
        id: "revoke",
        title: "Revoke a connection",
        blocks: [
          "Revoke when a user leaves. Almanac removes the tokens, channels, provider credentials and stored events of the account. Events in the user's calendars stay: delete yours first if they should go.",
          step({
            name: "Revoke the connection",
            request: {
              method: "POST",
              url: "{API}/oauth/token/revoke",
              form: { client_id: "{CLIENT_ID}", client_secret: "{CLIENT_SECRET}", token: "{REFRESH_TOKEN}" },
              showsStatus: true,
            },
            response: code("text", "Response", ["HTTP/1.1 200 OK"]),
          }),
        ],
      },
      {
        id: "rotate",
        title: "Rotate the client secret",
        blocks: [
          "1. Ask your Almanac administrator to add a second secret. Both are accepted from then on.\n2. Deploy the new one, also to your [webhook receivers](/docs/webhooks#rotation).\n3. Ask your Almanac administrator to retire the old one.",
          "Rotate at once if a secret was exposed. Tokens stay valid: revoke the connections that could have been reached with them.",
        ],
      },
    ],
  };
}
