import { MENU_ID, MENU_KEY } from "@/components/docs/client/places";

/** Opens the menu behind its button in a narrow window. In a wide one the next page keeps its scroll position. */
export function openMenu(): void {
  const menu = document.getElementById(MENU_ID);
  const button = document.querySelector<HTMLElement>(`[aria-controls="${MENU_ID}"]`);
  if (!menu || !button) return;
  const isOpen = () => button.getAttribute("aria-expanded") === "true";
  const show = (isShown: boolean) => {
    button.setAttribute("aria-expanded", String(isShown));
    menu.toggleAttribute("data-open", isShown);
  };
  button.addEventListener("click", () => show(!isOpen()));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen()) return;
    show(false);
    button.focus();
  });
  // Going back shows a page as it was left.
  addEventListener("pageshow", () => show(false));
  addEventListener("pagehide", () => sessionStorage.setItem(MENU_KEY, String(menu.scrollTop)));
}
