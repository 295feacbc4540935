/** Names shared by the pages' markup and their scripts. */
export const MENU_ID = "menu";
/** Key in session storage for the menu's scroll position. */
export const MENU_KEY = "almanac-docs-menu";
export const SEARCH_ID = "search";
export const RESULTS_ID = "search-results";
/** Key in local storage for the language in which code is shown. */
export const LANGUAGE_KEY = "almanac-docs-language";
export const THEME_ID = "theme";
/** Key in local storage for the theme: light, dark or system. */
export const THEME_KEY = "almanac-docs-theme";
