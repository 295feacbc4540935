import { fileText } from "@/components/docs/guides/files";
import { classes } from "@/components/ui/classes";
import { context } from "@/server/context";

/** Shows this version, and links to its changes, its source and its dashboard. */
export function FrameLinks({ className }: { className: string }) {
  const { version } = context.build;
  const source = sourceAddress();
  return (
    <p className={classes("flex flex-wrap gap-x-2.5 gap-y-1 text-12 text-faint print:hidden", className)}>
      <span className="py-0.5">Version {version}</span>
      <FrameLink href="/docs/changelog">Changelog</FrameLink>
      {source && <FrameLink href={source}>Source</FrameLink>}
      <FrameLink href="/dashboard">Open dashboard</FrameLink>
    </p>
  );
}

function FrameLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} className="py-0.5 underline-offset-3 hover:text-ink hover:underline">
      {children}
    </a>
  );
}

/** Returns the repository's address from package.json. Null: it has none. */
function sourceAddress(): string | null {
  const { repository } = JSON.parse(fileText("package.json"));
  const address = repository?.url ?? repository ?? "";
  return /https:\/\/\S+/.exec(address)?.[0].replace(/\.git$/, "") ?? null;
}
