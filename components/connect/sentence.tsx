import { Fragment, type ReactNode } from "react";

interface SentenceProps {
  text: string;
  app: string;
  account?: string | null;
  server?: string | null;
  link?: ReactNode;
}

/**
 * Renders a sentence with its placeholders filled in. A stranger's name can't change the writing direction around it.
 */
export function Sentence({ text, link, ...names }: SentenceProps) {
  return text.split(/\{(app|account|server|link)\}/).map((part, place) => {
    const key = `${place}`;
    if (place % 2 === 0) return <Fragment key={key}>{part}</Fragment>;
    if (part === "link") return <Fragment key={key}>{link}</Fragment>;
    return <bdi key={key}>{names[part as keyof typeof names]}</bdi>;
  });
}
