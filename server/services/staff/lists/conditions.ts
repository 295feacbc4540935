import type { Binding } from "@/server/db/composed";

/** SQL for each option of a search: an option without SQL does not compile. */
export type ConditionsOf<Search> = {
  [Name in keyof Search]-?: (value: Exclude<Search[Name], undefined>, binding: Binding) => string;
};

/** Returns the conditions of the options that are set. */
export function conditionsFor<Search extends object>(all: ConditionsOf<Search>, search: Search, binding: Binding) {
  return (Object.keys(all) as (keyof Search)[]).flatMap((name) => {
    const value = search[name];
    return value === undefined ? [] : [all[name](value as Exclude<Search[typeof name], undefined>, binding)];
  });
}
