import { Fragment, type ReactNode } from "react";

/** A sentence with what stands for `{app}` and `{link}` put in. A stranger's name keeps its own writing direction to itself. */
export function Sentence({ text, app, link }: { text: string; app: string; link?: ReactNode }) {
  return text.split(/(\{app\}|\{link\})/).map((part, place) => {
    const key = `${place}`;
    if (part === "{app}") return <bdi key={key}>{app}</bdi>;
    return <Fragment key={key}>{part === "{link}" ? link : part}</Fragment>;
  });
}
