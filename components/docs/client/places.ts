/** Names that the pages' markup and their scripts share. */
export const MENU_ID = "menu";
/** In the session's storage: how far the menu is scrolled. */
export const MENU_KEY = "almanac-docs-menu";
export const SEARCH_ID = "search";
export const RESULTS_ID = "search-results";
/** In the browser's storage: the language in which code is shown. */
export const LANGUAGE_KEY = "almanac-docs-language";
export const THEME_ID = "theme";
/** In the browser's storage: light, dark or system. */
export const THEME_KEY = "almanac-docs-theme";
