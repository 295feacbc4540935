const latin =
  "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2190-2193,U+2212,U+2215,U+FEFF,U+FFFD";
const latinExt =
  "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF";

/** The fonts that every page preloads. */
export const firstFonts = ["/fonts/inter-latin.woff2", "/fonts/instrument-serif-latin.woff2"];

/** The colours of each theme, as in components/ui/theme.css. */
export const themes = {
  light:
    "--paper:oklch(.985 .004 85);--raised:oklch(1 0 0);--hairline:oklch(.9 .006 85);--ink:oklch(.24 .02 260);--faint:oklch(.52 .015 260);--accent:oklch(.47 .13 262);--red:oklch(.53 .19 27);--on-accent:oklch(.985 .004 85)",
  dark: "--paper:oklch(.19 .01 260);--raised:oklch(.225 .012 260);--hairline:oklch(.31 .012 260);--ink:oklch(.93 .005 85);--faint:oklch(.68 .01 260);--accent:oklch(.74 .11 262);--red:oklch(.7 .17 27);--on-accent:oklch(.19 .01 260)",
};

/** Fonts and colours of every page. */
export const paper = `
${face({ family: "Inter", file: "inter", weight: "100 900" })}
${face({ family: "Instrument Serif", file: "instrument-serif" })}
${face({ family: "Instrument Serif", file: "instrument-serif-italic", style: "italic" })}
@font-face{font-family:"JetBrains Mono";font-weight:100 800;font-display:swap;src:url(/fonts/jetbrains-mono-latin.woff2) format("woff2");unicode-range:${latin}}
:root{color-scheme:light dark;${themes.light}}
@media(prefers-color-scheme:dark){:root{${themes.dark}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:400 16px/24px Inter,system-ui,sans-serif}
h1{font:400 28px/34px "Instrument Serif",Georgia,"Hiragino Mincho ProN","Noto Serif JP",serif;margin:0;text-wrap:balance}
p{margin:0}
a{color:var(--accent);text-underline-offset:3px;text-decoration-thickness:1px}
code{font:13px/20px "JetBrains Mono",ui-monospace,monospace;overflow-wrap:anywhere}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:2px}
`;

function face({ family, file, weight = "400", style = "normal" }: Face): string {
  const rule = (set: string, range: string) =>
    `@font-face{font-family:"${family}";font-weight:${weight};font-style:${style};font-display:swap;src:url(/fonts/${file}-${set}.woff2) format("woff2");unicode-range:${range}}`;
  return rule("latin", latin) + rule("latin-ext", latinExt);
}

interface Face {
  family: string;
  file: string;
  weight?: string;
  style?: "normal" | "italic";
}
