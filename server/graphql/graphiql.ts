import { randomBytes } from "node:crypto";
import { editorPolicy } from "@/server/domain/net/content-security-policy";
import { type EditorFile, editorFile } from "@/server/graphql/editor-file";
import { GRAPHQL_PATH } from "@/server/graphql/yoga";

const NONCE_BYTES = 16;

const defaultQuery = `# The latest failed deliveries, and why they failed.
{
  deliveries(first: 20, filter: { state: [FAILED] }) {
    total { count more }
    edges { node { id host lastStatus lastError createdAt } }
    pageInfo { hasNextPage endCursor }
  }
}
`;

interface Editor {
  /** The markup around its style and its script. */
  head: string;
  body: string;
  tail: string;
  style: EditorFile;
  script: EditorFile;
}

/**
 * Serves the editor's page. Its style and script, 9 MB together, have separate addresses, so that browsers keep them.
 */
export async function graphiqlPage(): Promise<Response> {
  const { head, style, body, script, tail } = await editor();
  const nonce = randomBytes(NONCE_BYTES).toString("base64");
  const loaded = {
    style: `<link rel="stylesheet" href="${GRAPHQL_PATH}/${style.name}">`,
    script: `<script nonce="${nonce}" src="${GRAPHQL_PATH}/${script.name}"></script>`,
  };
  return new Response(head + loaded.style + body + loaded.script + tail, {
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

let made: Promise<Editor> | undefined;

/** Builds the editor on first use. */
function editor(): Promise<Editor> {
  made ??= import("@graphql-yoga/render-graphiql").then(({ renderGraphiQL }) =>
    divided(
      renderGraphiQL({
        title: "GraphiQL · Almanac",
        endpoint: GRAPHQL_PATH,
        favicon: "/favicon.ico",
        defaultQuery,
        credentials: "same-origin",
      }),
    ),
  );
  return made;
}

function divided(markup: string): Editor {
  const [head, css, rest] = cutOut(markup, "<style>", markup.indexOf("</style>"));
  const [body, js, tail] = cutOut(rest, "<script>", rest.lastIndexOf("</script>"));
  return {
    head,
    body: body.slice("</style>".length),
    tail: tail.slice("</script>".length),
    style: editorFile(css, "css"),
    script: editorFile(js, "js"),
  };
}

function cutOut(text: string, opening: string, end: number): [string, string, string] {
  const start = text.indexOf(opening);
  return [text.slice(0, start), text.slice(start + opening.length, end), text.slice(end)];
}
