import { Joins, May, Only, SelfRegistered } from "@/components/connect/chooser";
import { Warning } from "@/components/connect/marks";
import { Sentence } from "@/components/connect/sentence";
import type { ProviderWords, Words } from "@/components/connect/words/words";
import { providerName } from "@/server/domain/wire-names";
import type { Screen, Trouble } from "@/server/http/connect/screen";

type SignIn = Extract<Screen, { kind: "sign_in" }>;
type Field = "username" | "password";

/**
 * Shows the sign-in form. iCloud: three steps to an app-specific password, and two fields. Another CalDAV server: only
 * the fields.
 */
export function SignInForm({ words, screen }: { words: Words; screen: SignIn }) {
  const { application, provider, serverId, help, signed, others, cancel } = screen;
  const { title, lead, steps } = formWords(words, screen);
  return (
    <>
      <h1>
        <Sentence text={title} app={application} server={screen.server} />
      </h1>
      <SelfRegistered words={words} asking={screen} />
      <Only words={words} screen={screen} />
      <Joins words={words} asking={screen} />
      <p className="lead">
        <Sentence text={lead} app={application} server={screen.server} />
      </p>
      {help !== null && <p className="help">{help}</p>}
      {steps.length > 0 && (
        <ol className="steps">
          {steps.map((step) => (
            <li key={step}>
              <span>
                <Sentence text={step} app={application} link={<ApplesPage words={words} />} />
              </span>
            </li>
          ))}
        </ol>
      )}
      <form method="post" action="/oauth/authorize">
        <input type="hidden" name="request" value={signed} />
        <input type="hidden" name="provider_name" value={providerName("neutral", provider)} />
        {serverId !== null && <input type="hidden" name="caldav_server" value={serverId} />}
        <Problem words={words} screen={screen} field={null} />
        <Username words={words} screen={screen} />
        <Password words={words} screen={screen} />
        <button type="submit" data-pending={words.connecting}>
          {words.connect}
        </button>
        <p className="sr" id="pending" role="status" />
      </form>
      <details open={screen.foreignEdits}>
        <summary>
          <Sentence text={words.mayTitle} app={application} />
        </summary>
        <May words={words} screen={screen} />
      </details>
      <p className="ways">
        {others && <a href={others}>{words.otherCalendar}</a>}
        <a href={cancel}>
          <Sentence text={words.cancel} app={application} />
        </a>
      </p>
    </>
  );
}

function formWords(words: Words, { server }: SignIn): ProviderWords {
  return server === null ? words.icloud : words.caldav;
}

/** Puts the error first in the title, which a screen reader reads when the page is back. */
export function titleOfForm(words: Words, screen: SignIn): string {
  const text = screen.trouble === null ? formWords(words, screen).title : troubleText(words, screen, screen.trouble);
  return text.replaceAll("{server}", screen.server ?? "");
}

/** Finds the field that an error belongs to. Null: the form. */
function fieldOf(trouble: Trouble): Field | null {
  if (trouble === "no_username") return "username";
  return trouble === "no_password" || trouble === "wrong_password" ? "password" : null;
}

function troubleText(words: Words, screen: SignIn, trouble: Trouble): string {
  const form = formWords(words, screen);
  const sentences: Record<Trouble, string> = {
    no_username: form.noUsername,
    no_password: form.noPassword,
    wrong_password: form.wrongPassword,
    unsupported_sign_in: words.unsupportedSignIn,
    no_calendars: words.noCalendars,
    down: form.down,
    too_many: words.tooMany,
  };
  return sentences[trouble];
}

interface Part {
  words: Words;
  screen: SignIn;
}

function ApplesPage({ words }: { words: Words }) {
  return (
    <a href="https://account.apple.com" target="_blank" rel="noreferrer">
      account.apple.com<span className="sr"> ({words.newTab})</span>
    </a>
  );
}

/** Returns the attributes of a field with an error, so that a user who comes back to one lands there. */
function mistakeOf({ screen }: Part, field: Field) {
  const isHere = screen.trouble !== null && fieldOf(screen.trouble) === field;
  return isHere ? ({ "aria-invalid": "true", autoFocus: true } as const) : {};
}

function Username(part: Part) {
  return (
    <>
      <label htmlFor="username">{formWords(part.words, part.screen).username}</label>
      <input
        id="username"
        name="username"
        type="text"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        defaultValue={part.screen.username}
        aria-describedby={described("username", part)}
        {...mistakeOf(part, "username")}
      />
      <Problem {...part} field="username" />
    </>
  );
}

function Password(part: Part) {
  return (
    <>
      <label htmlFor="password">{formWords(part.words, part.screen).password}</label>
      <input
        id="password"
        name="password"
        type="password"
        autoComplete="off"
        required
        aria-describedby={described("password", part)}
        {...mistakeOf(part, "password")}
      />
      <Problem {...part} field="password" />
      <p className="hint" id="password-hint">
        {formWords(part.words, part.screen).passwordHint}
      </p>
    </>
  );
}

function described(field: Field, { screen }: Part): string | undefined {
  const mistake = screen.trouble && fieldOf(screen.trouble) === field ? `${field}-problem` : null;
  const hint = field === "password" ? "password-hint" : null;
  return [mistake, hint].filter(Boolean).join(" ") || undefined;
}

function Problem({ words, screen, field }: Part & { field: Field | null }) {
  const { application, server, trouble } = screen;
  if (trouble === null || fieldOf(trouble) !== field) return null;
  return (
    <p className="bad" id={`${field ?? "form"}-problem`} role={field === null ? "alert" : undefined}>
      <Warning />
      <span>
        <Sentence text={troubleText(words, screen, trouble)} app={application} server={server} />
      </span>
    </p>
  );
}
