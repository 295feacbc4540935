import type { ReactNode } from "react";

interface NoticeProps {
  title: string;
  /** Empty: what would fill it and how. Error: what happened, what was kept, what to do. */
  children?: ReactNode;
  action?: ReactNode;
  /** Whether it is all that the page has: its title is the page's. */
  isPage?: boolean;
}

/** Shows that nothing is here, and what would fill it. */
export function EmptyState({ title, children, action, isPage }: NoticeProps) {
  return (
    <div className="grid justify-items-start gap-2 px-6 max-sm:px-4 py-12">
      <Title isPage={isPage} className="text-16">
        {title}
      </Title>
      <div className="max-w-prose text-13 text-faint">{children}</div>
      {action && <div className="mt-2 flex flex-wrap gap-2">{action}</div>}
    </div>
  );
}

/** Shows that something failed. */
export function ErrorState({ title, children, action, isPage }: NoticeProps) {
  return (
    <div role="alert" className="grid justify-items-start gap-2 px-6 max-sm:px-4 py-12">
      <Title isPage={isPage} className="text-16 text-red">
        {title}
      </Title>
      <div className="max-w-prose text-13 text-faint">{children}</div>
      {action && <div className="mt-2 flex flex-wrap gap-2">{action}</div>}
    </div>
  );
}

function Title({ isPage, ...rest }: Pick<NoticeProps, "isPage" | "children"> & { className: string }) {
  return isPage ? <h1 {...rest} /> : <p {...rest} />;
}
