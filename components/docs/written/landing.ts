import { LANDING, openDoors } from "@/components/docs/landing";
import { pieces } from "@/components/docs/written/parts";

/** Writes the first page as Markdown. */
export function writtenLanding(about: string, places: readonly { title: string; path: string }[]): string {
  const doors = openDoors(places).map(({ name, about: what, places: inside }) =>
    pieces(`## ${name}`, what, inside.map(({ title, path }) => `- [${title}](${path})`).join("\n")),
  );
  return pieces(`# ${LANDING.title}`, about, ...doors);
}
