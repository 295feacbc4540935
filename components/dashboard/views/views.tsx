import { firstOf, type Params } from "@/components/dashboard/address/address";
import { VIEW } from "@/components/dashboard/address/view";
import { ViewMenu } from "@/components/dashboard/views/view-menu";
import { readView, savedQuery, viewHref } from "@/components/dashboard/views/view-query";
import { type SavedView, viewedLists } from "@/server/services/staff/views/shapes";

interface ViewsProps {
  list: SavedView["list"];
  params: Params;
  views: readonly SavedView[];
}

/** Shows the operator's views of a list beside its filters. */
export function Views({ list: name, params, views }: ViewsProps) {
  const list = viewedLists[name];
  const query = savedQuery(list, params);
  const open = openView(views, params);
  return (
    <ViewMenu
      list={name}
      path={list.path}
      params={params}
      views={views.map((view) => ({ id: view.id, name: view.name, href: viewHref(view) }))}
      current={open?.id ?? null}
      isChanged={open !== undefined && savedQuery(list, readView(list, open.query).params) !== query}
      query={query}
    />
  );
}

/** Says what of the open view the list no longer knows. */
export function IgnoredFilters({ list, params, views }: ViewsProps) {
  const open = openView(views, params);
  const ignored = open ? readView(viewedLists[list], open.query).ignored : [];
  if (ignored.length === 0) return null;
  return (
    <p role="note" className="border-t px-6 py-2 text-13 text-faint max-sm:px-4">
      This view has filters that no longer exist. They were ignored: {ignored.join(", ")}.
    </p>
  );
}

/** Finds the open view, unless the page's address names another operator's or one that was deleted. */
function openView(views: readonly SavedView[], params: Params): SavedView | undefined {
  const id = firstOf(params, VIEW);
  return views.find((view) => view.id === id);
}
