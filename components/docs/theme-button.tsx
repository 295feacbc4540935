import { THEME_ID } from "@/components/docs/client/places";

const drawings = {
  system: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 0v12",
  light: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1",
  dark: "M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z",
} as const;

/** Switches between light, dark and the system's theme. The browser remembers the choice (client/theme.ts). */
export function ThemeButton() {
  return (
    <button
      id={THEME_ID}
      type="button"
      aria-label="Theme: system"
      className="inline-flex size-8 items-center justify-center self-center rounded-md text-faint hover:bg-hover hover:text-ink max-lg:size-9 unscripted:hidden"
    >
      {Object.entries(drawings).map(([name, path]) => (
        <svg
          key={name}
          data-theme-icon={name}
          viewBox="0 0 16 16"
          className="size-4"
          fill="none"
          stroke="currentColor"
          aria-hidden
        >
          <path d={path} strokeLinecap="round" strokeLinejoin="round" />
        </svg>
      ))}
    </button>
  );
}
