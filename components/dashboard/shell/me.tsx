"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { roleWords } from "@/components/dashboard/role-words";
import { SHOW_KEYS } from "@/components/dashboard/shell/keyboard-rows";
import { signOut } from "@/components/dashboard/shell/sign-out";
import { chooseTheme, THEME_CHOSEN, type Theme, themeOf, themes } from "@/components/dashboard/shell/theme";
import { KeyHint } from "@/components/ui/key-hint";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from "@/components/ui/menu";
import { useTimes } from "@/components/ui/times";
import type { SignedInOperator } from "@/server/services/staff/procedure/staff-context";

const zones = [
  { value: "local", label: "Local" },
  { value: "utc", label: "UTC" },
];

interface MeProps {
  operator: Pick<SignedInOperator, "name" | "email" | "role">;
  theme: Theme;
}

/** Shows who is signed in, the theme, the time zone, and the way out. */
export function Me({ operator, theme }: MeProps) {
  const [chosen, setChosen] = useState<Theme>(theme);
  const times = useTimes();
  const router = useRouter();
  useEffect(() => {
    const change = (event: Event) => setChosen((event as CustomEvent<Theme>).detail);
    document.addEventListener(THEME_CHOSEN, change);
    return () => document.removeEventListener(THEME_CHOSEN, change);
  }, []);
  return (
    <Menu
      side="top"
      trigger={
        <button
          type="button"
          aria-label={`Signed in as ${operator.name || operator.email}`}
          className="flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left text-13 hover:bg-hover max-md:w-auto max-md:px-1"
        >
          <span
            aria-hidden
            className="flex size-6 shrink-0 items-center justify-center rounded-full border text-12 font-medium uppercase max-md:size-8"
          >
            {(operator.name || operator.email).slice(0, 1)}
          </span>
          <span className="min-w-0 max-md:hidden">
            <span className="block truncate">{operator.name || operator.email}</span>
            <span className="block text-12 text-faint">{roleWords[operator.role]}</span>
          </span>
        </button>
      }
    >
      <MenuLabel>{operator.email}</MenuLabel>
      <MenuItem onSelect={() => router.push("/dashboard/settings/profile")}>Profile</MenuItem>
      <MenuItem onSelect={() => document.dispatchEvent(new Event(SHOW_KEYS))} hint={<KeyHint>?</KeyHint>}>
        Keyboard shortcuts
      </MenuItem>
      <MenuItem onSelect={() => window.location.assign("/api/graphql")}>GraphiQL</MenuItem>
      <MenuItem onSelect={() => window.location.assign("/docs")}>Documentation</MenuItem>
      <MenuLine />
      <MenuLabel>Theme</MenuLabel>
      <MenuChoice value={chosen} onChange={(value) => chooseTheme(themeOf(value))} options={themes} />
      <MenuLine />
      <MenuLabel>Times</MenuLabel>
      <MenuChoice
        value={times.mode}
        onChange={(mode) => times.choose(mode === "utc" ? "utc" : "local")}
        options={zones}
      />
      <MenuLine />
      <MenuItem onSelect={signOut}>Sign out</MenuItem>
    </Menu>
  );
}
