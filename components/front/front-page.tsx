const tokens = `
:root { color-scheme: light dark; --paper: oklch(0.985 0.004 85); --ink: oklch(0.24 0.02 260); --faint: oklch(0.52 0.015 260);
  --hairline: oklch(0.90 0.006 85); --accent: oklch(0.47 0.13 262); }
@media (prefers-color-scheme: dark) { :root { --paper: oklch(0.19 0.01 260); --ink: oklch(0.93 0.005 85); --faint: oklch(0.68 0.01 260);
  --hairline: oklch(0.31 0.012 260); --accent: oklch(0.74 0.11 262); } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 400 16px/24px Inter, system-ui, sans-serif; }
main { max-width: 420px; margin: 0 auto; padding: 96px 20px 48px; }
h1 { font: 400 28px/36px "Instrument Serif", Georgia, serif; margin: 0 0 8px; }
p { margin: 0 0 24px; }
dl { margin: 0; border-top: 1px solid var(--hairline); font-size: 14px; line-height: 20px; }
dl div { display: flex; justify-content: space-between; gap: 16px; padding: 8px 0; border-bottom: 1px solid var(--hairline); }
dt { color: var(--faint); } dd { margin: 0; text-align: right; }
code { font: 13px/20px "JetBrains Mono", ui-monospace, monospace; overflow-wrap: anywhere; }
a { color: var(--accent); } a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

/** What a person sees who opens the service's own address: that it runs, and where its parts are. Sends no script. */
export function FrontPage({ baseUrl }: { baseUrl: string }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Almanac</title>
        <style>{tokens}</style>
      </head>
      <body>
        <main>
          <h1>Almanac</h1>
          <p>The calendar service is running.</p>
          <dl>
            <div>
              <dt>API</dt>
              <dd>
                <code>{baseUrl}/v1</code>
              </dd>
            </div>
            <div>
              <dt>Health</dt>
              <dd>
                <a href="/health">
                  <code>/health</code>
                </a>
              </dd>
            </div>
            <div>
              <dt>First steps</dt>
              <dd>README.md, “The first five minutes”</dd>
            </div>
          </dl>
        </main>
      </body>
    </html>
  );
}
