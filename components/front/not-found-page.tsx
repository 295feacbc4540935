import { icon } from "@/components/dashboard/page-files";
import { firstFonts, paper } from "@/components/ui/paper";

const style = `${paper}
main { max-width: 460px; margin: 0 auto; padding: 96px 20px 48px; }
h1 { margin: 0 0 8px; }
p { margin: 0 0 16px; }
p a { display: inline-block; padding: 2px 0; }
.id { color: var(--faint); font-size: 13px; line-height: 20px; overflow-wrap: anywhere; }
`;

/** Renders the page for an address that is neither a page nor part of the API. */
export async function renderNotFound(requestId: string): Promise<string> {
  const { renderToStaticMarkup } = await import("react-dom/server");
  return renderToStaticMarkup(<NotFoundPage requestId={requestId} />);
}

function NotFoundPage({ requestId }: { requestId: string }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Page not found · Almanac</title>
        {firstFonts.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={href} />
        ))}
        <link rel="icon" href={icon} />
        <style>{style}</style>
      </head>
      <body>
        <main>
          <h1>Page not found</h1>
          <p>There is no page at this address. The link may be incomplete, or the page may have moved.</p>
          <p>
            <a href="/dashboard">Dashboard</a> · <a href="/docs">Documentation</a>
          </p>
          <p className="id">
            Request ID <code>{requestId}</code>
          </p>
        </main>
      </body>
    </html>
  );
}
