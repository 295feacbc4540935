import { MENU_ID, MENU_KEY } from "@/components/docs/client/places";

// Runs right after the menu, which is then painted at its scroll position on the previous page.
const menu = document.getElementById(MENU_ID);
if (menu) {
  const left = Number(sessionStorage.getItem(MENU_KEY) ?? Number.NaN);
  if (Number.isFinite(left)) menu.scrollTop = left;
  menu.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest" });
}
