"use client";

import { Dialog } from "radix-ui";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { KeyHint } from "@/components/ui/key-hint";
import { shareNonce } from "@/components/ui/nonce";
import type { Role } from "@/server/services/staff/procedure/staff-context";

shareNonce();

const load = () => import("@/components/dashboard/shell/palette-choices");
const PaletteChoices = lazy(load);
/** Loads what the palette shows before it opens. Opening it tries again. */
const prepare = () => void load().catch(() => undefined);

/**
 * Opens with ⌘K or Ctrl+K, finds pages and things while somebody types, and runs the actions of the page and the
 * dashboard.
 */
export function Palette({ role }: { role: Role }) {
  const [isOpen, setOpen] = useState(false);
  const [isListening, setListening] = useState(false);
  const afterwards = useRef<(() => void) | undefined>(undefined);
  const done = (after?: () => void) => {
    afterwards.current = after;
    setOpen(false);
  };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === "Meta" || event.key === "Control") prepare();
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
        onPointerEnter={prepare}
        onFocus={prepare}
        // Set only now: before the page's scripts run, no key is heard.
        aria-keyshortcuts={isListening ? "Meta+K Control+K" : undefined}
        className="flex h-8 w-full items-center justify-between gap-2 rounded-md border px-2 text-13 text-faint hover:border-edge hover:text-ink max-md:h-9 max-md:mr-2"
      >
        <span>Search…</span>
        <span className="max-md:hidden">
          <KeyHint>⌘K</KeyHint>
        </span>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fade-in fixed inset-0 z-40 bg-veil" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            // What an action opens takes the focus itself.
            if (afterwards.current) event.preventDefault();
            afterwards.current?.();
            afterwards.current = undefined;
          }}
          className="fade-in fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-140 -translate-x-1/2 overflow-hidden rounded-md border bg-raised shadow-float"
        >
          <Dialog.Title className="sr-only">Search and actions</Dialog.Title>
          <Suspense fallback={<div className="h-12" />}>
            <PaletteChoices role={role} onDone={done} />
          </Suspense>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
