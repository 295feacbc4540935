/** GraphiQL's fonts but that of its icons: ours stand in their place. */
const OTHER_FONTS = /@font-face\s*\{(?![^}]*codicon)[^}]*\}/g;

/** What axe finds in GraphiQL: its tabs have buttons inside, which no tab may have. They are a list, and so it says. */
const corrections = [
  ['"aria-selected":r,dragElastic:!1,role:"tab",', '"aria-current":r,dragElastic:!1,'],
  ['axis:"x",role:"tablist",', 'axis:"x",'],
  ['role:"tabpanel",id:"graphiql-session",', 'role:"group",id:"graphiql-session",'],
] as const;

/** Corrects GraphiQL's script. Throws if a version of GraphiQL no longer has what is corrected. */
export function correctedScript(script: string): string {
  return corrections.reduce((text, [found, correct]) => {
    if (text.split(found).length !== 2) throw new Error(`GraphiQL's script has no longer one ${found}`);
    return text.replace(found, () => correct);
  }, script);
}

/** Gives GraphiQL's style our fonts and colours, without its own fonts. */
export function ourStyle(style: string): string {
  return style.replace(OTHER_FONTS, "") + ours;
}

const surfaces =
  ":is(.graphiql-container,.graphiql-dialog,.graphiql-dialog-overlay,.graphiql-tooltip,[data-radix-popper-content-wrapper])";

/** The colours of components/ui/theme.css, in the form that GraphiQL computes with. */
const light =
  "--color-base:0,0%,100%;--color-neutral:217,23%,13.1%;--color-primary:219,54%,41.3%;--color-secondary:219,54%,41.3%;--color-tertiary:219,54%,41.3%;--color-info:219,54%,41.3%;--color-success:151,100%,20.3%;--color-warning:36,100%,31.5%;--color-error:0,67%,45.5%";
const dark =
  "--color-base:217,17%,8.1%;--color-neutral:40,11%,90.5%;--color-primary:219,79%,73.1%;--color-secondary:219,79%,73.1%;--color-tertiary:219,79%,73.1%;--color-info:219,79%,73.1%;--color-success:144,46%,56.7%;--color-warning:36,77%,60.6%;--color-error:5,89%,67.5%";
const darkBar = "--bar:hsl(217,15%,11.4%);--bar-ink:hsl(40,11%,90.5%);--bar-link:hsl(219,79%,73.1%)";

const ours = `
@font-face{font-family:Inter;font-weight:100 900;font-display:swap;src:url(/fonts/inter-latin.woff2) format("woff2")}
@font-face{font-family:"JetBrains Mono";font-weight:100 800;font-display:swap;src:url(/fonts/jetbrains-mono-latin.woff2) format("woff2")}
${surfaces}{--font-family:Inter,system-ui,sans-serif;--font-family-mono:"JetBrains Mono",ui-monospace,monospace;--font-weight-medium:550;${light}}
@media(prefers-color-scheme:dark){body:not(.graphiql-light) ${surfaces}{${dark}}}
body.graphiql-dark ${surfaces}{${dark}}
body{--bar:hsl(40,36%,97.7%);--bar-ink:hsl(217,23%,13.1%);--bar-link:hsl(219,54%,41.3%);display:flex;flex-direction:column;height:100dvh;margin:0}
@media(prefers-color-scheme:dark){body:not(.graphiql-light){${darkBar}}}
body.graphiql-dark{${darkBar}}
#root{position:relative;flex:1;min-height:0;height:auto;overflow:auto}
.bar{display:flex;align-items:baseline;gap:16px;padding:8px 16px;font:400 14px/24px Inter,system-ui,sans-serif;color:var(--bar-ink);background:var(--bar)}
.bar h1{margin:0;font:inherit;font-weight:550}
.bar a{color:var(--bar-link);text-underline-offset:3px}
.bar a:focus-visible{outline:2px solid;outline-offset:2px}
.graphiql-container .graphiql-logo{display:none}
.graphiql-container .graphiql-doc-explorer a{color:hsl(var(--color-primary));text-decoration:underline;text-underline-offset:3px}
.graphiql-container .monaco-editor.vs .mtk8{color:hsl(158,87%,22%)}
`;
