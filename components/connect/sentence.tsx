import { Fragment, type ReactNode } from "react";

interface SentenceProps {
  text: string;
  app: string;
  account?: string | null;
  server?: string | null;
  link?: ReactNode;
}

/** A sentence with its placeholders filled in. A stranger's name keeps its own writing direction to itself. */
export function Sentence({ text, link, ...names }: SentenceProps) {
  return text.split(/\{(app|account|server|link)\}/).map((part, place) => {
    const key = `${place}`;
    if (place % 2 === 0) return <Fragment key={key}>{part}</Fragment>;
    if (part === "link") return <Fragment key={key}>{link}</Fragment>;
    return <bdi key={key}>{names[part as keyof typeof names]}</bdi>;
  });
}
