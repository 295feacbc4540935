/** A section's title, with a link to itself. */
export function SectionTitle({ id, children }: { id: string; children: string }) {
  return (
    <h2 id={id} className="group scroll-mt-6 text-20 font-medium max-lg:scroll-mt-18">
      {children}
      <a
        href={`#${id}`}
        aria-label={`Link to “${children}”`}
        className="ml-2 font-normal text-faint opacity-0 group-hover:opacity-100 focus-visible:opacity-100 print:hidden"
      >
        #
      </a>
    </h2>
  );
}

/** The page's title and what it is about. */
export function PageTitle({ children }: { children: string }) {
  return <h1 className="text-28 font-medium tracking-tight text-balance">{children}</h1>;
}
