import { Chevron, ProviderMark, Tick } from "@/components/connect/marks";
import { Sentence } from "@/components/connect/sentence";
import type { Words } from "@/components/connect/words/words";
import type { Connectable } from "@/server/domain/wire-names";
import type { Screen } from "@/server/http/connect/screen";

/** What people call them, in every language. */
const names: Record<Connectable, string> = {
  prov_a: "Google",
  prov_b: "Microsoft 365",
  prov_c: "Outlook.com",
  prov_d: "iCloud",
};

type Choice = Extract<Screen, { kind: "choose" }>;

/** Who asks, what for, and where the calendar is. */
export function Chooser({ words, screen }: { words: Words; screen: Choice }) {
  const { application, providers, cancel } = screen;
  return (
    <>
      <h1>
        <Asks words={words} application={application} />
      </h1>
      <May words={words} />
      {providers.length === 0 ? (
        <p className="lead">
          <Sentence text={words.nothingOffered} app={application} />
        </p>
      ) : (
        <nav aria-labelledby="where">
          <h2 id="where">{words.where}</h2>
          <ul className="rows">
            {providers.map(({ provider, href }) => (
              <li key={provider}>
                <a href={href}>
                  <ProviderMark provider={provider} />
                  {names[provider]}
                  <Chevron />
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <p className="ways">
        <a href={cancel}>
          <Sentence text={words.cancel} app={application} />
        </a>
      </p>
    </>
  );
}

/** What the application may see and do. */
export function May({ words }: { words: Words }) {
  return (
    <ul className="may">
      {words.may.map((line) => (
        <li key={line}>
          <Tick />
          {line}
        </li>
      ))}
    </ul>
  );
}

function Asks({ words, application }: { words: Words; application: string }) {
  const [before, after] = words.wouldLike.split("{app}");
  return (
    <>
      {before}
      <em>
        <bdi>{application}</bdi>
      </em>
      {after}
    </>
  );
}
