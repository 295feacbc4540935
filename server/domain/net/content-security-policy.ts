type Sources = Record<string, string>;

interface Reach {
  /** Where forms may end beside this origin; null: nothing can be sent. */
  formEnds: readonly string[] | null;
  /** Who may frame the page. */
  framedBy?: "'self'";
}

/** Allows nothing but what is named, and no page of others to frame ours. */
function policy(allowed: Sources, { formEnds, framedBy }: Reach): string {
  const directives: Sources = {
    "default-src": "'none'",
    ...allowed,
    "base-uri": "'none'",
    "frame-ancestors": framedBy ?? "'none'",
    "form-action": formEnds ? ["'self'", ...formEnds].join(" ") : "'none'",
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join("; ");
}

const plain: Sources = { "style-src": "'unsafe-inline'", "font-src": "'self'", "img-src": "'self' data:" };
const scripted: Sources = { "img-src": "'self' data:", "font-src": "'self'", "connect-src": "'self'" };

/** Builds the policy of a page without scripts, whose forms end at this origin and at those given. */
export function plainPagePolicy(...formEnds: readonly string[]): string {
  return policy(plain, { formEnds });
}

/** Builds the policy of a page like that with one inline script of ours, named by its digest. */
export function formPagePolicy(formEnds: string, scriptDigest: string): string {
  return policy({ ...plain, "script-src": `'sha256-${scriptDigest}'` }, { formEnds: [formEnds] });
}

/** Builds the policy of a page without scripts or forms that one of our pages frames. */
export function framedPagePolicy(): string {
  return policy(plain, { formEnds: null, framedBy: "'self'" });
}

/** Builds the policy of a documentation page, which runs our scripts alone. Inline scripts are named by digest. */
export function docsPolicy(digests: readonly string[]): string {
  const inline = digests.map((digest) => ` 'sha256-${digest}'`).join("");
  return policy({ ...scripted, "script-src": `'self'${inline}`, "style-src": "'self'" }, { formEnds: null });
}

export interface DashboardPolicyInput {
  /** What the response's own scripts and styles carry. */
  nonce: string;
  /** Next's reloading evaluates code, and speaks over a web socket. */
  isDev: boolean;
  /** Where a form may end beside here: the issuer of single sign-on. */
  formEnds: readonly string[];
}

/** Builds the policy of a dashboard page, which runs the scripts with its nonce and what those load, and talks to this origin alone. */
export function dashboardPolicy({ nonce, isDev, formEnds }: DashboardPolicyInput): string {
  return policy(
    {
      ...scripted,
      "script-src": `'nonce-${nonce}' 'strict-dynamic'${isDev ? " 'unsafe-eval'" : ""}`,
      "style-src": `'self' ${isDev ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
      "frame-src": "'self'", // the preview of the connect page
      "connect-src": `'self'${isDev ? " ws:" : ""}`,
      "object-src": "'none'",
    },
    { formEnds },
  );
}

/** Builds the policy of GraphiQL, which writes style elements and starts its workers from its script. */
export function editorPolicy(nonce: string): string {
  return policy(
    {
      ...scripted,
      "script-src": `'nonce-${nonce}'`,
      "worker-src": "blob:",
      "style-src": "'self' 'unsafe-inline'",
      "font-src": "'self' data:",
      "object-src": "'none'",
    },
    { formEnds: null },
  );
}

/** The policy of a picture: whatever the file turns out to be, it does nothing. */
export const picturePolicy = "default-src 'none'; sandbox";

/** Reads the nonce of a policy. Null: it has none. */
export function nonceOf(policy: string | null): string | null {
  return /'nonce-([\w+/=]+)'/.exec(policy ?? "")?.[1] ?? null;
}
