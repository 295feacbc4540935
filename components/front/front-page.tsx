import { firstFonts, paper } from "@/components/ui/paper";

const style = `${paper}
main { max-width: 460px; margin: 0 auto; padding: 96px 20px 48px; }
h1 { margin: 0 0 8px; }
main > p { margin: 0 0 24px; }
dl { margin: 0; border-top: 1px solid var(--hairline); font-size: 14px; line-height: 20px; }
dl div { display: flex; justify-content: space-between; gap: 16px; padding: 8px 0; border-bottom: 1px solid var(--hairline); }
dt { color: var(--faint); } dd { margin: 0; text-align: right; }
`;

/** What people see at the service's own address: that it runs, and where its parts are. Sends no script. */
export function FrontPage({ baseUrl }: { baseUrl: string }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Almanac</title>
        {firstFonts.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={href} />
        ))}
        <style>{style}</style>
      </head>
      <body>
        <main>
          <h1>Almanac</h1>
          <p>Calendar integration API. This server is up and running.</p>
          <dl>
            <div>
              <dt>API base URL</dt>
              <dd>
                <code>{baseUrl}/v1</code>
              </dd>
            </div>
            <div>
              <dt>Health check</dt>
              <dd>
                <a href="/health">
                  <code>/health</code>
                </a>
              </dd>
            </div>
            <div>
              <dt>Documentation</dt>
              <dd>
                <a href="/docs">
                  <code>/docs</code>
                </a>
              </dd>
            </div>
            <div>
              <dt>Dashboard</dt>
              <dd>
                <a href="/dashboard">
                  <code>/dashboard</code>
                </a>
              </dd>
            </div>
          </dl>
        </main>
      </body>
    </html>
  );
}
