import type { ReactNode } from "react";
import { Sentence } from "@/components/connect/sentence";
import type { Words } from "@/components/connect/words/words";
import type { Screen } from "@/server/http/connect/screen";

interface Of<Kind extends Screen["kind"]> {
  words: Words;
  screen: Extract<Screen, { kind: Kind }>;
}

export function Connected({ words, screen }: Of<"connected">) {
  return (
    <>
      <h1>{titleOfConnected(words, screen)}</h1>
      <p className="text">
        <Sentence text={words.finish} app={screen.application} />
      </p>
      <a className="button" href={screen.back}>
        <Sentence text={words.goBack} app={screen.application} />
      </a>
    </>
  );
}

export function titleOfConnected(words: Words, { isPending }: Of<"connected">["screen"]): string {
  return isPending ? words.pendingTitle : words.connectedTitle;
}

export function Stale({ words, screen: { application, again, back } }: Of<"stale">) {
  const goBack = <Sentence text={words.goBack} app={application} />;
  return (
    <>
      <h1>{words.staleTitle}</h1>
      <p className="text">{words.stale}</p>
      <p className="lead">{words.staleCookies}</p>
      <a className="button" href={again ?? back}>
        {again ? words.again : goBack}
      </a>
      {again && <Way href={back}>{goBack}</Way>}
    </>
  );
}

export function LinkEnded({ words, screen: { application, back } }: Of<"link_ended">) {
  return (
    <>
      <h1>{words.linkEndedTitle}</h1>
      <p className="text">{words.linkEnded}</p>
      <p className="lead">
        <Sentence text={words.linkEndedHint} app={application} />
      </p>
      <a className="button" href={back}>
        <Sentence text={words.goBack} app={application} />
      </a>
    </>
  );
}

export function Elsewhere({ words, screen: { joins, ...screen } }: Of<"elsewhere">) {
  const said = { title: words.elsewhereTitle, text: words.elsewhere, hint: words.elsewhereHint };
  return <WrongAccount words={words} screen={{ ...screen, account: joins }} {...said} />;
}

export function OtherAccount({ words, screen }: Of<"other_account">) {
  const said = { title: words.otherAccountTitle, text: words.otherAccount, hint: words.otherAccountHint };
  return <WrongAccount words={words} screen={screen} {...said} />;
}

interface WrongAccountProps {
  words: Words;
  screen: Pick<Of<"other_account">["screen"], "application" | "account" | "another" | "back">;
  title: string;
  text: string;
  hint: string;
}

function WrongAccount({
  words,
  screen: { application, account, another, back },
  title,
  text,
  hint,
}: WrongAccountProps) {
  return (
    <>
      <h1>{title}</h1>
      <p className="text">
        <Sentence text={text} app={application} account={account} />
      </p>
      <p className="lead">{hint}</p>
      <a className="button" href={another}>
        {words.another}
      </a>
      <Way href={back}>
        <Sentence text={words.goBack} app={application} />
      </Way>
    </>
  );
}

export function Unusable({ words, screen: { reason, application } }: Of<"unusable">) {
  return (
    <>
      <h1>{words.unusableTitle}</h1>
      <p className="text">{words.unusable[reason]}</p>
      <p className="lead">{words.nothingConnected}</p>
      <p className="lead">
        {application === null ? words.someSupport : <Sentence text={words.support} app={application} />}
      </p>
    </>
  );
}

export function Maintenance({ words }: { words: Words }) {
  return (
    <>
      <h1>{words.maintenanceTitle}</h1>
      <p className="text">{words.maintenance}</p>
    </>
  );
}

export function Failed({ words, screen: { requestId } }: Of<"failed">) {
  return (
    <>
      <h1>{words.failedTitle}</h1>
      <p className="text">{words.failed}</p>
      <p className="lead">
        {words.failedNumber} <code>{requestId}</code>
      </p>
    </>
  );
}

function Way({ href, children }: { href: string; children: ReactNode }) {
  return (
    <p className="ways">
      <a href={href}>{children}</a>
    </p>
  );
}
