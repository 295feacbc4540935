import { PageHead } from "@/components/docs/heading";
import { LANDING, openDoors } from "@/components/docs/landing";

interface LandingPageProps {
  about: string;
  /** Every other page. */
  places: readonly { title: string; path: string }[];
}

/** Shows the first page of the documentation: three ways in. */
export function LandingPage({ about, places }: LandingPageProps) {
  return (
    <div className="mx-auto max-w-270 px-10 pt-10 pb-14 max-sm:px-4 max-sm:pt-6 print:p-0">
      <PageHead title={LANDING.title} path={LANDING.path}>
        <p className="mt-3 max-w-180 text-16 text-faint text-pretty">{about}</p>
      </PageHead>
      <div className="mt-10 grid gap-x-8 gap-y-10 md:grid-cols-3">
        {openDoors(places).map(({ id, name, about: what, places: inside }) => (
          <section key={id} aria-labelledby={id} className="border-t pt-4">
            <h2 id={id} className="text-20 font-medium">
              {name}
            </h2>
            <p className="mt-1 text-14 text-faint text-pretty md:min-h-15">{what}</p>
            <ul className="mt-3 grid">
              {inside.map(({ title, path }) => (
                <li key={path} className="border-t">
                  <a href={path} className="block py-2 text-14 text-accent hover:underline hover:underline-offset-3">
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}
