"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { SelectionBar } from "@/components/dashboard/selection/selection-bar";

interface Chosen {
  /** All rows of the page. */
  ids: readonly string[];
  chosen: readonly string[];
  choose(ids: readonly string[]): void;
}

const ChosenRows = createContext<Chosen | null>(null);

interface SelectionProps {
  kind: "deliveries" | "endpoints";
  ids: readonly string[];
  children: ReactNode;
}

/** Lets rows of a table be selected, and shows what can be done with those that are. */
export function Selection({ kind, ids, children }: SelectionProps) {
  const [kept, setKept] = useState<readonly string[]>([]);
  const chosen = ids.filter((id) => kept.includes(id)); // the page may show others by now
  return (
    <ChosenRows value={{ ids, chosen, choose: setKept }}>
      {children}
      <SelectionBar kind={kind} chosen={chosen} onClear={() => setKept([])} />
    </ChosenRows>
  );
}

/** Selects one row. */
export function SelectRow({ id, name }: { id: string; name: string }) {
  const { chosen, choose } = useContext(ChosenRows) ?? none;
  const isChosen = chosen.includes(id);
  const toggle = () => choose(isChosen ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return <Box label={`Select ${name}`} isChecked={isChosen} onChange={toggle} />;
}

/** Selects all rows of the page, or none. */
export function SelectAll() {
  const { ids, chosen, choose } = useContext(ChosenRows) ?? none;
  const isAll = chosen.length > 0 && chosen.length === ids.length;
  return <Box label="Select all" isChecked={isAll} onChange={() => choose(isAll ? [] : ids)} />;
}

const none: Chosen = { ids: [], chosen: [], choose: () => undefined };

interface BoxProps {
  label: string;
  isChecked: boolean;
  onChange(): void;
}

function Box({ label, isChecked, onChange }: BoxProps) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={isChecked}
      onChange={onChange}
      className="relative z-1 mr-3 size-4 shrink-0 align-[-3px] accent-accent max-sm:hidden"
    />
  );
}
