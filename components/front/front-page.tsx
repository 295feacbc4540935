import { firstFonts, paper } from "@/components/ui/paper";

const style = `${paper}
main { max-width: 880px; margin: 0 auto; padding: 96px 20px 48px; }
h1 { margin: 0 0 8px; }
main > p { max-width: 560px; text-wrap: pretty; }
nav { display: grid; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); gap: 12px; margin: 40px 0 32px; }
nav a { display: block; padding: 16px 18px 18px; border: 1px solid var(--hairline); border-radius: 6px; background: var(--raised); color: inherit; text-decoration: none; }
nav a:hover { border-color: var(--accent); }
nav b { display: block; color: var(--accent); font-weight: 500; }
nav span { display: block; margin-top: 4px; color: var(--faint); font-size: 14px; line-height: 20px; }
.state { display: flex; flex-wrap: wrap; gap: 4px 20px; max-width: none; color: var(--faint); font-size: 13px; line-height: 20px; }
.state a { color: inherit; }
code { font-variant-ligatures: none; }
.failing { color: var(--red); }
@media (max-width: 480px) { main { padding-top: 48px; } }
`;

const doors = [
  { name: "Build", href: "/docs/quickstart", about: "Make your first calls and receive your first webhook." },
  { name: "Run", href: "/docs/install", about: "Install Almanac, set up providers and upgrade." },
  { name: "Operate", href: "/dashboard", about: "Sign in to see deliveries, requests and accounts." },
] as const;

interface FrontPageProps {
  /** What Almanac is, in one sentence. */
  about: string;
  baseUrl: string;
  version: string;
  /** Why the process should get no requests. Null: it is ready. */
  fault: string | null;
}

/** Shows at the service's own address what it is, whether it runs, and three ways in. Sends no script. */
export function FrontPage({ about, baseUrl, version, fault }: FrontPageProps) {
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
          <p>{about}</p>
          <nav aria-label="Get started">
            {doors.map(({ name, href, about: what }) => (
              <a key={name} href={href} aria-label={name}>
                <b>{name}</b>
                <span>{what}</span>
              </a>
            ))}
          </nav>
          <p className="state">
            <a href="/health" className={fault ? "failing" : undefined}>
              {fault ?? "Ready"}
            </a>
            <span>Version {version}</span>
            <span>
              API at <code>{baseUrl}/v1</code>
            </span>
          </p>
        </main>
      </body>
    </html>
  );
}
