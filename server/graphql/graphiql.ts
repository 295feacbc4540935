import { randomBytes } from "node:crypto";
import { editorPolicy } from "@/server/domain/net/content-security-policy";
import { type EditorFile, editorFile } from "@/server/graphql/editor-file";
import { correctedScript, ourStyle } from "@/server/graphql/editor-parts";
import { GRAPHQL_PATH } from "@/server/graphql/yoga";

const NONCE_BYTES = 16;

/** The latest failed deliveries, and why they failed. */
const defaultQuery = `{
  deliveries(first: 20, filter: { state: [FAILED] }) {
    total { count more }
    edges { node { id host lastStatus lastError createdAt } }
    pageInfo { hasNextPage endCursor }
  }
}
`;

interface Editor {
  style: EditorFile;
  script: EditorFile;
}

/**
 * Serves the editor's page. Its style and script, 8 MB together, have separate addresses, so that browsers keep them.
 */
export async function graphiqlPage(): Promise<Response> {
  const nonce = randomBytes(NONCE_BYTES).toString("base64");
  return new Response(markup(await editor(), nonce), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": editorPolicy(nonce),
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    },
  });
}

/** Finds the editor's style or script by name, or null if this version has no such file. */
export async function graphiqlFile(name: string): Promise<EditorFile | null> {
  const { style, script } = await editor();
  return [style, script].find((one) => one.name === name) ?? null;
}

function markup({ style, script }: Editor, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL · Almanac</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="${GRAPHQL_PATH}/${style.name}">
</head>
<body>
<header class="bar"><a href="/dashboard">Back to the dashboard</a><h1>GraphiQL</h1></header>
<main id="root"><noscript>GraphiQL needs JavaScript.</noscript></main>
<script nonce="${nonce}" src="${GRAPHQL_PATH}/${script.name}"></script>
</body>
</html>
`;
}

let made: Promise<Editor> | undefined;

/** Builds the editor on first use. */
function editor(): Promise<Editor> {
  made ??= import("@graphql-yoga/render-graphiql").then(({ renderGraphiQL }) => {
    const rendered = renderGraphiQL({ endpoint: GRAPHQL_PATH, defaultQuery, credentials: "same-origin" });
    const style = between(rendered, "<style>", rendered.indexOf("</style>"));
    const script = between(rendered, "<script>", rendered.lastIndexOf("</script>"));
    return { style: editorFile(ourStyle(style), "css"), script: editorFile(correctedScript(script), "js") };
  });
  return made;
}

function between(text: string, opening: string, end: number): string {
  return text.slice(text.indexOf(opening) + opening.length, end);
}
