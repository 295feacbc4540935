import { THEME_ID, THEME_KEY } from "@/components/docs/client/places";
import { announce } from "@/components/ui/announce";

const themes = ["system", "light", "dark"];

/**
 * Switches from one theme to the next when the button is pressed. Before the page is painted, client/first.ts has
 * applied the stored one.
 */
export function switchThemes(): void {
  const button = document.getElementById(THEME_ID);
  if (!button) return;
  const { dataset } = document.documentElement;
  const show = (theme: string) => {
    if (theme === "system") delete dataset.theme;
    else dataset.theme = theme;
    button.ariaLabel = `Theme: ${theme}`;
    button.title = button.ariaLabel;
  };
  show(dataset.theme ?? "system");
  button.addEventListener("click", () => {
    const at = themes.indexOf(dataset.theme ?? "system");
    const theme = themes[(at + 1) % themes.length] ?? "system";
    localStorage.setItem(THEME_KEY, theme);
    show(theme);
    announce(`Theme: ${theme}`);
  });
  // Another window's choice.
  addEventListener("storage", ({ key, newValue }) => {
    if (key === THEME_KEY) show(newValue ?? "system");
  });
}
