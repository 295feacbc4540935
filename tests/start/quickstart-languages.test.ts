import { codeLanguages } from "@/components/docs/code/languages";
import { quickstartIn } from "@/tests/start/quickstart";

quickstartIn(codeLanguages.map(({ id }) => id).filter((id) => id !== "node"));
