"use client";

import { useRouter } from "next/navigation";
import { Dialog } from "radix-ui";
import { useEffect, useId, useState } from "react";
import { destinations } from "@/components/dashboard/shell/navigation";
import { classes } from "@/components/ui/classes";
import { KeyHint } from "@/components/ui/key-hint";
import { shareNonce } from "@/components/ui/nonce";
import type { Role } from "@/server/services/staff/procedure/staff-context";

shareNonce();

/** ⌘K or Ctrl+K: goes to a page, or to whatever an id stands for. */
export function Palette({ role }: { role: Role }) {
  const [isOpen, setOpen] = useState(false);
  const [isListening, setListening] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey) return;
      event.preventDefault();
      setOpen((was) => !was);
    };
    document.addEventListener("keydown", press);
    setListening(true);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger
        // Said once it is so: before the page's scripts run, no key is heard.
        aria-keyshortcuts={isListening ? "Meta+K Control+K" : undefined}
        className="flex h-8 w-full items-center justify-between gap-2 rounded-md border px-2 text-13 text-faint hover:border-edge hover:text-ink max-md:h-9 max-md:mr-2"
      >
        <span>Go to…</span>
        <span className="max-md:hidden">
          <KeyHint>⌘K</KeyHint>
        </span>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fade-in fixed inset-0 z-40 bg-veil" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fade-in fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-140 -translate-x-1/2 overflow-hidden rounded-md border bg-raised shadow-float"
        >
          <Dialog.Title className="sr-only">Go to a page or ID</Dialog.Title>
          <Choices role={role} onDone={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Choices({ role, onDone }: { role: Role; onDone(): void }) {
  const router = useRouter();
  const list = useId();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const choices = destinations(typed, role);
  const chosen = Math.min(at, choices.length - 1);
  const go = (href: string | undefined) => {
    if (!href) return;
    onDone();
    router.push(href);
  };
  const press = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") go(choices[chosen]?.href);
    if (!step) return;
    event.preventDefault();
    setAt((chosen + step + choices.length) % choices.length);
  };
  return (
    <>
      <input
        role="combobox"
        aria-label="Page name, ID or email"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={`${list}-${chosen}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Page, ID (whd_, chn_, acc_, app_, req_…) or email"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
        className="h-12 w-full border-b bg-transparent px-4 text-14 outline-none placeholder:text-faint max-sm:text-16"
      />
      <div id={list} role="listbox" aria-label="Destinations" className="max-h-80 overflow-auto p-1">
        {choices.map(({ label, href }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's above.
          <div
            key={href}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => go(href)}
            onPointerMove={() => setAt(index)}
            className={classes(
              "flex h-9 cursor-pointer items-center justify-between gap-4 rounded-sm px-3 text-13",
              index === chosen && "bg-picked",
            )}
          >
            <span className="truncate">{label}</span>
            {index === chosen && <KeyHint>↵</KeyHint>}
          </div>
        ))}
      </div>
    </>
  );
}
