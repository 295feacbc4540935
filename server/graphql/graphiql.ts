import { randomBytes } from "node:crypto";
import { GRAPHQL_PATH } from "@/server/graphql/yoga";

const NONCE_BYTES = 16;
const SCRIPT = "<script>";

const defaultQuery = `# What failed in the last deliveries, and why.
{
  deliveries(first: 20, filter: { state: [FAILED] }) {
    total { count more }
    edges { node { id host lastStatus lastError createdAt } }
    pageInfo { hasNextPage endCursor }
  }
}
`;

/** The editor as one page that loads nothing: 9 MB, put together when somebody asks for it first. */
export async function graphiqlPage(): Promise<Response> {
  const nonce = randomBytes(NONCE_BYTES).toString("base64");
  const [head = "", ...rest] = (await markup()).split(SCRIPT);
  return new Response(`${head}<script nonce="${nonce}">${rest.join(SCRIPT)}`, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": policy(nonce),
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    },
  });
}

let page: Promise<string> | undefined;

function markup(): Promise<string> {
  page ??= import("@graphql-yoga/render-graphiql").then(({ renderGraphiQL }) =>
    renderGraphiQL({ title: "Almanac GraphiQL", endpoint: GRAPHQL_PATH, defaultQuery, credentials: "same-origin" }),
  );
  return page;
}

/** The editor writes style elements, and starts its workers from what the page holds. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "worker-src blob:",
    "style-src 'unsafe-inline'",
    "img-src data:",
    "font-src data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
