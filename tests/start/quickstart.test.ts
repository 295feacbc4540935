import { quickstartIn } from "@/tests/start/quickstart";

// By itself, because it needs Node alone.
quickstartIn(["node"]);
