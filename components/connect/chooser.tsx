import { Chevron, ProviderMark, Tick, Warning } from "@/components/connect/marks";
import { Sentence } from "@/components/connect/sentence";
import type { Words } from "@/components/connect/words/words";
import { counterpartOf, providerTraits } from "@/server/domain/providers";
import type { RequestSummary, ReturnTrouble, Screen } from "@/server/http/connect/screen";

type Choice = Extract<Screen, { kind: "choose" }>;

/** Shows who asks for access and what for, and lets the user choose where their calendar is. */
export function Chooser({ words, screen }: { words: Words; screen: Choice }) {
  const { application, access, providers, cancel, trouble } = screen;
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
        <Asks text={words.wouldLike[access]} application={application} />
      </h1>
      <SelfRegistered words={words} asking={screen} />
      <Only words={words} screen={screen} />
      <Joins words={words} asking={screen} />
      <May words={words} screen={screen} />
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
  const { application, access, joins, reconnects, cancel } = asking;
  if (reconnects !== null) return <Reconnects words={words} application={application} account={reconnects} />;
  if (joins === null) return null;
  return (
    <section className="joins" aria-labelledby="joins">
      <p id="joins" className="joins-to">
        <Sentence text={words.joins} app={application} account={joins} />
      </p>
      <p>
        <Sentence text={access === "free_busy" ? words.joinsHintFreeBusy : words.joinsHint} app={application} />
      </p>
      <p>
        <a href={cancel}>{words.refuse}</a>
      </p>
    </section>
  );
}

/** Says that nobody knows who runs the application, and where it takes the user. */
export function SelfRegistered({
  words,
  asking: { application, returnsTo },
}: {
  words: Words;
  asking: RequestSummary;
}) {
  if (returnsTo === null) return null;
  return (
    <p className="lead">
      <Sentence text={words.selfRegistered} app={application} server={returnsTo} />
    </p>
  );
}

/** Says which account has to sign in. */
function Reconnects({ words, application, account }: { words: Words; application: string; account: string }) {
  return (
    <section className="joins" aria-labelledby="reconnects">
      <p id="reconnects" className="joins-to">
        <Sentence text={words.reconnects} app={application} account={account} />
      </p>
      <p>{words.reconnectsHint}</p>
    </section>
  );
}

interface AccessProps {
  words: Words;
  screen: Pick<RequestSummary, "application" | "access" | "foreignEdits">;
}

/** Says that the application asks for less than everything. */
export function Only({ words, screen: { application, access } }: AccessProps) {
  if (access === "full") return null;
  return (
    <p className="lead">
      <Sentence text={words.mayOnly[access]} app={application} />
    </p>
  );
}

/** Lists what the application can access. */
export function May({ words, screen: { access, foreignEdits } }: AccessProps) {
  return (
    <ul className="may">
      {[...words.may[access], ...(foreignEdits ? [words.mayChangeOthers] : [])].map((line) => (
        <li key={line}>
          <Tick />
          {line}
        </li>
      ))}
    </ul>
  );
}

function Asks({ text, application }: { text: string; application: string }) {
  const [before, after] = text.split("{app}");
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
