interface Neighbour {
  title: string;
  path: string;
}

interface PageTurnProps {
  previous?: Neighbour;
  next?: Neighbour;
}

/** Links to the pages before and after this one, in the order of the navigation. */
export function PageTurn({ previous, next }: PageTurnProps) {
  return (
    <nav
      aria-label="Previous and next page"
      className="mx-auto grid max-w-330 gap-x-6 gap-y-3 px-10 pb-16 max-sm:px-4 sm:grid-cols-2 print:hidden"
    >
      {previous ? <Turn {...previous} word="Previous" /> : <span />}
      {next && <Turn {...next} word="Next" isNext />}
    </nav>
  );
}

function Turn({ title, path, word, isNext }: Neighbour & { word: string; isNext?: boolean }) {
  return (
    <a
      href={path}
      rel={isNext ? "next" : "prev"}
      className={`rounded-md border px-4 py-3 hover:bg-hover ${isNext ? "sm:text-right" : ""}`}
    >
      <span className="block text-12 text-faint">{word}</span>
      <span className="text-14">{title}</span>
    </a>
  );
}
