import { switchLanguages } from "@/components/docs/client/code-language";
import { openMenu } from "@/components/docs/client/contents";
import { copyOnPress } from "@/components/docs/client/copy";
import { searchInPlace } from "@/components/docs/client/search";
import { switchThemes } from "@/components/docs/client/theme";
import { tryOnPress } from "@/components/docs/client/try-it";

copyOnPress();
openMenu();
switchLanguages();
searchInPlace();
switchThemes();
tryOnPress();
