"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { copy } from "@/components/ui/copy";
import { say } from "@/components/ui/say";

/** Copies a longer text, such as a body. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const [word, setWord] = useState("Copy");
  const press = async () => {
    const isDone = await copy(text);
    setWord(isDone ? "Copied" : "Not allowed");
    say(isDone ? `Copied ${name}` : "The browser did not allow to copy");
  };
  return (
    <Button look="quiet" className="h-6 max-sm:h-8 px-2 text-12" onClick={press} aria-label={`Copy ${name}`}>
      {word}
    </Button>
  );
}
