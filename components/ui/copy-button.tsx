"use client";

import { useState } from "react";
import { announce } from "@/components/ui/announce";
import { Button } from "@/components/ui/button";
import { copy } from "@/components/ui/copy";

interface CopyButtonProps {
  text: string;
  /** What it copies: "Response body". */
  name: string;
  /** The button's label. Default: "Copy". */
  word?: string;
}

/** Copies a longer text, such as a body. */
export function CopyButton({ text, name, word: verb = "Copy" }: CopyButtonProps) {
  const [word, setWord] = useState(verb);
  const press = async () => {
    const isDone = await copy(text);
    setWord(isDone ? "Copied" : "Copy failed");
    announce(isDone ? `Copied ${name}` : "The browser blocked copying");
  };
  return (
    <Button
      look="quiet"
      className="h-6 max-sm:h-8 px-2 text-12"
      onClick={press}
      aria-label={word === "Copy" ? `Copy ${name}` : undefined}
    >
      {word}
    </Button>
  );
}
