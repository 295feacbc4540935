import { Sentence } from "@/components/connect/sentence";
import type { Words } from "@/components/connect/words/words";
import type { Screen } from "@/server/http/connect/screen";

interface Of<Kind extends Screen["kind"]> {
  words: Words;
  screen: Extract<Screen, { kind: Kind }>;
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
      {again && (
        <p className="ways">
          <a href={back}>{goBack}</a>
        </p>
      )}
    </>
  );
}

export function Unusable({ words, screen: { reason } }: Of<"unusable">) {
  return (
    <>
      <h1>{words.unusableTitle}</h1>
      <p className="text">{words.unusable[reason]}</p>
      <p className="lead">{words.nothingConnected}</p>
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
