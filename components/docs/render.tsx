import type { ReactNode } from "react";
import { firstFonts, icon } from "@/components/dashboard/page-files";
import { FrameLinks } from "@/components/docs/frame-links";
import { LANDING } from "@/components/docs/landing";
import { navigationGroups } from "@/components/docs/navigation-items";
import { PageTurn } from "@/components/docs/page-turn";
import { freshPages, servedPages } from "@/components/docs/pages";
import { DocsShell } from "@/components/docs/shell";
import { markdownPath, withAddresses } from "@/components/docs/written/parts";
import { EmptyState } from "@/components/ui/notice";
import { env } from "@/server/env";
import type { Docs, DocsView, RenderedDocs } from "@/server/http/docs/endpoint";
import type { SiteFiles } from "@/server/http/docs/site-files";
import { servedDocument } from "@/server/http/openapi/served";

/** The pages of the documentation, as markup or as Markdown. */
export const docs: Docs = {
  has: (path) => servedPages().some((one) => one.path === path || markdownPath(one.path) === path),
  render: renderDocs,
};

async function renderDocs({ path, files }: DocsView): Promise<RenderedDocs> {
  const { renderToStaticMarkup } = await import("react-dom/server");
  const document = servedDocument();
  const pages = freshPages();
  const asText = pages.find((one) => markdownPath(one.path) === path);
  if (asText)
    return { status: 200, type: "text/markdown", text: withAddresses(await asText.markdown(), env().APP_URL) };
  const at = pages.findIndex((one) => one.path === path);
  const page = pages[at];
  const content = page ? await page.content() : <NotFound />;
  const text = renderToStaticMarkup(
    <Page title={page?.title ?? "Page not found"} path={page && path} files={files}>
      <DocsShell groups={navigationGroups(document)} path={path} menu={files.menu}>
        {content}
        {page && <PageTurn previous={pages[at - 1]} next={pages[at + 1]} />}
        <FrameLinks className="mx-auto max-w-270 px-10 pb-8 max-sm:px-4 lg:hidden" />
      </DocsShell>
    </Page>,
  );
  return { status: page ? 200 : 404, type: "text/html", text };
}

interface PageProps {
  title: string;
  path: string | undefined;
  files: SiteFiles;
  children: ReactNode;
}

function Page({ title, path, files, children }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{path === LANDING.path ? title : `${title} · Almanac docs`}</title>
        <script>{files.first}</script>
        <link rel="stylesheet" href={`/docs/files/${files.style}`} />
        {firstFonts.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={href} />
        ))}
        <link rel="icon" href={icon} />
        {path && <link rel="alternate" type="text/markdown" href={markdownPath(path)} />}
        <script defer src={`/docs/files/${files.script}`} />
      </head>
      <body>{children}</body>
    </html>
  );
}

function NotFound() {
  return (
    <EmptyState title="Page not found" isPage>
      Search the documentation, or start with the{" "}
      <a href="/docs/quickstart" className="text-accent underline underline-offset-3">
        quickstart
      </a>{" "}
      or the{" "}
      <a href="/docs/reference" className="text-accent underline underline-offset-3">
        API overview
      </a>
      .
    </EmptyState>
  );
}
