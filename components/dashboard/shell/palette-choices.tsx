"use client";

import { useRouter } from "next/navigation";
import { useEffect, useId, useRef, useState } from "react";
import { type Choice, choicesFor } from "@/components/dashboard/shell/choices";
import { actionsOfPage } from "@/components/dashboard/shell/page-actions";
import { type Lookup, useThings } from "@/components/dashboard/shell/use-things";
import { classes } from "@/components/ui/classes";
import { KeyHint } from "@/components/ui/key-hint";
import { counted } from "@/components/ui/number";
import type { Role } from "@/server/services/staff/procedure/staff-context";

interface PaletteChoicesProps {
  role: Role;
  /** Closes the palette, and then does something. */
  onDone(after?: () => void): void;
}

/** Shows the palette's field and matches: the arrow keys choose, and Enter opens or runs one. */
export default function PaletteChoices({ role, onDone }: PaletteChoicesProps) {
  const router = useRouter();
  const list = useId();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const [isAwaited, setAwaited] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // The dialog may have opened before its content was there.
  useEffect(() => field.current?.focus(), []);
  const lookup = useThings(typed);
  const { things, applications, views } = lookup;
  const choices = choicesFor({ typed, role, things, applications, views, pageActions: actionsOfPage() });
  const chosen = Math.min(at, choices.length - 1);
  const take = (choice: Choice | undefined) => {
    if (!choice) return;
    const { href, run } = choice;
    if (!href) return onDone(run);
    onDone();
    router.push(href);
  };
  const enter = () => {
    const choice = choices[chosen];
    // After pasting and pressing Enter, people want the thing, not a search for it.
    if (lookup.isLooking && (choice === undefined || choice.group === "Search")) setAwaited(true);
    else take(choice);
  };
  const taking = useRef(enter);
  taking.current = enter;
  useEffect(() => {
    if (!isAwaited || lookup.isLooking) return;
    setAwaited(false);
    taking.current();
  }, [isAwaited, lookup.isLooking]);
  const press = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") enter();
    if (!step || choices.length === 0) return;
    event.preventDefault();
    setAt((chosen + step + choices.length) % choices.length);
  };
  useEffect(() => {
    document.getElementById(`${list}-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [list, chosen]);
  return (
    <>
      <input
        ref={field}
        role="combobox"
        aria-label="Page, ID, URL, email or action"
        aria-expanded
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={choices.length > 0 ? `${list}-${chosen}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder="Page, ID, URL, email or action"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
          setAwaited(false);
        }}
        onKeyDown={press}
        className="h-12 w-full border-b bg-transparent px-4 text-14 outline-none placeholder:text-faint max-sm:text-16"
      />
      <div id={list} role="listbox" aria-label="Results" className="max-h-96 overflow-auto p-1 max-sm:max-h-[50vh]">
        {grouped(choices).map(({ group, first, some }) => (
          // biome-ignore lint/a11y/useSemanticElements: options of a list box are grouped by this role.
          <div key={group} role="group" aria-label={group}>
            <div aria-hidden className="px-3 pt-2 pb-1 text-12 text-faint">
              {group}
            </div>
            {some.map((choice, offset) => (
              <Line
                key={`${choice.label} ${choice.href ?? ""}`}
                id={`${list}-${first + offset}`}
                choice={choice}
                isChosen={first + offset === chosen}
                onPick={() => take(choice)}
                onPoint={() => setAt(first + offset)}
              />
            ))}
          </div>
        ))}
      </div>
      <LookupState lookup={lookup} found={things.length + views.length} />
    </>
  );
}

/** Groups the choices, with the index of each group's first among all. */
function grouped(choices: readonly Choice[]) {
  const groups: { group: Choice["group"]; first: number; some: Choice[] }[] = [];
  for (const [index, choice] of choices.entries()) {
    const last = groups.at(-1);
    if (last?.group === choice.group) last.some.push(choice);
    else groups.push({ group: choice.group, first: index, some: [choice] });
  }
  return groups;
}

interface LineProps {
  id: string;
  choice: Choice;
  isChosen: boolean;
  onPick(): void;
  onPoint(): void;
}

function Line({ id, choice, isChosen, onPick, onPoint }: LineProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's above.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={onPick}
      onPointerMove={onPoint}
      className={classes(
        "flex min-h-9 cursor-pointer items-center justify-between gap-4 rounded-sm px-3 py-1 text-13 max-sm:min-h-11",
        isChosen && "bg-picked",
      )}
    >
      <span className="min-w-0 max-sm:grid">
        <span className="truncate">{choice.label}</span>
        {choice.note && <span className="truncate text-12 text-faint sm:hidden">{choice.note}</span>}
      </span>
      <span className="flex shrink-0 items-center gap-2">
        {choice.note && <span className="max-w-60 truncate text-12 text-faint max-sm:hidden">{choice.note}</span>}
        {isChosen && (
          <span aria-hidden className="max-sm:hidden">
            <KeyHint>↵</KeyHint>
          </span>
        )}
      </span>
    </div>
  );
}

/** Shows the state of the look-up in a line that is always there, so that nothing jumps. */
function LookupState({ lookup, found }: { lookup: Lookup; found: number }) {
  const { isLooking, isEmpty, fault, again } = lookup;
  return (
    <div className="flex min-h-9 items-center justify-between gap-4 border-t px-4 text-12 text-faint">
      <p role="status" className={classes(Boolean(fault) && "text-red")}>
        {isLooking && "Searching…"}
        {isEmpty && "No account, application, endpoint, event, delivery or request starts with this."}
        {fault}
        {found > 0 && <span className="tnum">{counted(found, "result")}</span>}
      </p>
      {fault && (
        <button type="button" onClick={again} className="h-7 rounded-sm px-2 text-accent hover:underline">
          Try again
        </button>
      )}
    </div>
  );
}
