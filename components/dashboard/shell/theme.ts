export type Theme = "system" | "light" | "dark";

/** What the cookie says; anything else means as the system. */
export function themeOf(said: string | undefined): Theme {
  return said === "light" || said === "dark" ? said : "system";
}
