import { May } from "@/components/connect/chooser";
import { Warning } from "@/components/connect/marks";
import { Sentence } from "@/components/connect/sentence";
import type { Words } from "@/components/connect/words/words";
import type { Screen, Trouble } from "@/server/http/connect/screen";

type SignIn = Extract<Screen, { kind: "sign_in" }>;
type Field = "username" | "password";

/** iCloud: three steps to an app-specific password, and two fields. */
export function SignInForm({ words, screen }: { words: Words; screen: SignIn }) {
  const { application, provider, signed, others, cancel } = screen;
  return (
    <>
      <h1>{words.signInTitle}</h1>
      <p className="lead">{words.signInLead}</p>
      <ol className="steps">
        {words.steps.map((step) => (
          <li key={step}>
            <span>
              <Sentence text={step} app={application} link={<ApplesPage words={words} />} />
            </span>
          </li>
        ))}
      </ol>
      <form method="post" action="/oauth/authorize">
        <input type="hidden" name="request" value={signed} />
        <input type="hidden" name="provider_name" value={provider} />
        <Problem words={words} screen={screen} field={null} />
        <Username words={words} screen={screen} />
        <Password words={words} screen={screen} />
        <button type="submit">{words.connect}</button>
      </form>
      <details>
        <summary>
          <Sentence text={words.mayTitle} app={application} />
        </summary>
        <May words={words} />
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

/** Which field a trouble is tied to; null: to the form. */
export function fieldOf(trouble: Trouble): Field | null {
  if (trouble === "no_username") return "username";
  return trouble === "no_password" || trouble === "wrong_password" ? "password" : null;
}

export function sentenceOf(words: Words, trouble: Trouble): string {
  const sentences: Record<Trouble, string> = {
    no_username: words.noUsername,
    no_password: words.noPassword,
    wrong_password: words.wrongPassword,
    no_calendars: words.noCalendars,
    down: words.down,
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

/** A person who comes back to a mistake lands in the field that has it. */
function mistakeOf({ screen }: Part, field: Field) {
  const isHere = screen.trouble !== null && fieldOf(screen.trouble) === field;
  return isHere ? ({ "aria-invalid": "true", autoFocus: true } as const) : {};
}

function Username(part: Part) {
  return (
    <>
      <label htmlFor="username">{part.words.username}</label>
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
      <label htmlFor="password">{part.words.password}</label>
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
        {part.words.passwordHint}
      </p>
    </>
  );
}

function described(field: Field, { screen }: Part): string | undefined {
  const mistake = screen.trouble && fieldOf(screen.trouble) === field ? `${field}-problem` : null;
  const hint = field === "password" ? "password-hint" : null;
  return [mistake, hint].filter(Boolean).join(" ") || undefined;
}

function Problem({ words, screen: { trouble }, field }: Part & { field: Field | null }) {
  if (trouble === null || fieldOf(trouble) !== field) return null;
  return (
    <p className="bad" id={`${field ?? "form"}-problem`} role={field === null ? "alert" : undefined}>
      <Warning />
      <span>{sentenceOf(words, trouble)}</span>
    </p>
  );
}
