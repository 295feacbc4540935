import { Chevron, ProviderMark, Tick, Warning } from "@/components/connect/marks";
import { Sentence } from "@/components/connect/sentence";
import type { Words } from "@/components/connect/words/words";
import { counterpartOf, providerTraits } from "@/server/domain/providers";
import type { RequestSummary, ReturnTrouble, Screen } from "@/server/http/connect/screen";

type Choice = Extract<Screen, { kind: "choose" }>;

/** Shows who asks for access and what for, and lets the user choose where their calendar is. */
export function Chooser({ words, screen }: { words: Words; screen: Choice }) {
  const { application, providers, cancel, trouble } = screen;
  return (
    <>
      {trouble && (
        <p className="bad first" role="alert">
          <Warning />
          <span>
            {troubleText(words, trouble)} <OtherWay words={words} screen={screen} />
          </span>
        </p>
      )}
      <h1>
        <Asks words={words} application={application} />
      </h1>
      <Joins words={words} asking={screen} />
      <May words={words} />
      {providers.length === 0 ? (
        <p className="lead">
          <Sentence text={words.nothingOffered} app={application} />
        </p>
      ) : (
        <nav aria-labelledby="where">
          <h2 id="where">{words.where}</h2>
          <ul className="rows">
            {providers.map(({ provider, name, href }) => (
              <li key={href}>
                <a href={href}>
                  <ProviderMark provider={provider} />
                  {name === null ? providerTraits[provider].label : <bdi>{name}</bdi>}
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

/** Puts the error first in the title, which a screen reader reads when the user is back. */
export function titleOfChoice(words: Words, { trouble }: Choice): string {
  return trouble === null ? words.chooseTitle : troubleText(words, trouble);
}

function troubleText(words: Words, { provider, trouble }: ReturnTrouble): string {
  const sentences: Record<ReturnTrouble["trouble"], string> = {
    missing_scope: words.missingScope,
    expired: words.expired,
    used: words.used,
    wrong_account: words.wrongAccount,
    admin_consent: words.adminConsent,
    blocked: words.blocked,
    no_calendars: words.noCalendars,
    no_mailbox: words.noMailbox,
    down: words.caldav.down,
    too_many: words.tooMany,
  };
  return sentences[trouble]
    .replaceAll("{server}", providerTraits[provider].label)
    .replaceAll("{other}", otherLabel(provider));
}

function otherLabel(provider: ReturnTrouble["provider"]): string {
  const other = counterpartOf(provider);
  return other ? providerTraits[other].label : "";
}

/** Links to the provider that serves the account. */
function OtherWay({ words, screen: { trouble, providers } }: { words: Words; screen: Choice }) {
  if (trouble?.trouble !== "wrong_account") return null;
  const other = counterpartOf(trouble.provider);
  const way = providers.find(({ provider }) => provider === other);
  return way ? <a href={way.href}>{words.continueWith.replaceAll("{other}", otherLabel(trouble.provider))}</a> : null;
}

/** Says whose account the calendar is added to before anything is typed: the link may be somebody else's. */
export function Joins({ words, asking }: { words: Words; asking: RequestSummary }) {
  const { application, joins, cancel } = asking;
  if (joins === null) return null;
  return (
    <section className="joins" aria-labelledby="joins">
      <p id="joins" className="joins-to">
        <Sentence text={words.joins} app={application} account={joins} />
      </p>
      <p>
        <Sentence text={words.joinsHint} app={application} />
      </p>
      <p>
        <a href={cancel}>{words.refuse}</a>
      </p>
    </section>
  );
}

/** Lists what the application can access. */
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
