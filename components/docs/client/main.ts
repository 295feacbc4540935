import { openMenu } from "@/components/docs/client/contents";
import { copyOnPress } from "@/components/docs/client/copy";
import { searchInPlace } from "@/components/docs/client/search";
import { switchTabs } from "@/components/docs/client/tabs";

copyOnPress();
openMenu();
switchTabs();
searchInPlace();
