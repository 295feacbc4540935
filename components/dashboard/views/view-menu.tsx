"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { filtered, type Params } from "@/components/dashboard/address/address";
import { VIEW } from "@/components/dashboard/address/view";
import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { NameView } from "@/components/dashboard/views/name-view";
import { Chip } from "@/components/ui/chip";
import { Confirm } from "@/components/ui/dialog";
import { Fault } from "@/components/ui/fault";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from "@/components/ui/menu";
import { MOST_VIEWS } from "@/server/services/staff/views/limits";
import type { ViewedList } from "@/server/services/staff/views/shapes";

export interface ViewMenuProps {
  list: ViewedList;
  views: readonly { id: string; name: string; href: string }[];
  /** The open view, by its ID. */
  current: string | null;
  /** The page has other filters or another order than the open view. */
  isChanged: boolean;
  /** The filters and the order of the page. Empty: it has none to save. */
  query: string;
  path: string;
  params: Params;
}

/** Opens the saved views of a list, and saves, renames and deletes them. */
export function ViewMenu({ list, views, current, isChanged, query, path, params }: ViewMenuProps) {
  const router = useRouter();
  const [dialog, setDialog] = useState<"save" | "rename" | "delete" | null>(null);
  const action = useAction();
  const open = views.find(({ id }) => id === current);
  const change = (toOpen: boolean) => {
    action.reset();
    if (!toOpen) setDialog(null);
  };
  const go = (to: string) => router.push(to, { scroll: false });
  const withView = (id: string | null) => filtered(path, params, { [VIEW]: id });
  const overwrite = (id: string) => action.run(() => staffClient.views.update.mutate({ id, query }), "View updated");
  const remove = async (id: string) => {
    if (!(await action.run(() => staffClient.views.delete.mutate({ id }), "View deleted"))) return;
    setDialog(null);
    go(withView(null));
  };
  return (
    <>
      <Menu
        trigger={
          <Chip isSet={open !== undefined} className="max-w-52">
            <span className="truncate">{open ? `${open.name}${isChanged ? ", changed" : ""}` : "Views"}</span>{" "}
            <span aria-hidden>▾</span>
          </Chip>
        }
      >
        <MenuLabel>Saved views</MenuLabel>
        {views.length === 0 && (
          <p className="max-w-64 px-2 pb-2 text-13 text-faint">
            None yet. Set filters or an order, save them under a name, and open them here or with ⌘K.
          </p>
        )}
        <MenuChoice
          value={isChanged ? "" : (current ?? "")}
          onChange={(id) => go(views.find((view) => view.id === id)?.href ?? withView(null))}
          options={views.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <MenuLine />
        {open && isChanged && query && (
          <MenuItem onSelect={() => overwrite(open.id)}>Update “{shortName(open.name)}”</MenuItem>
        )}
        {query ? (
          <MenuItem onSelect={() => setDialog("save")}>Save as new view…</MenuItem>
        ) : (
          <MenuLabel>Nothing to save: no filter is set</MenuLabel>
        )}
        {open && <MenuItem onSelect={() => setDialog("rename")}>Rename “{shortName(open.name)}”…</MenuItem>}
        {open && <MenuItem onSelect={() => setDialog("delete")}>Delete “{shortName(open.name)}”…</MenuItem>}
      </Menu>
      {dialog === null && <Fault>{action.fault}</Fault>}
      <NameView
        isOpen={dialog === "save"}
        onOpenChange={change}
        title="Save view"
        description={`Saves the filters and the order of this page for you alone. A list has up to ${MOST_VIEWS} views.`}
        work={(name) => staffClient.views.create.mutate({ list, name, query })}
        announcement="View saved"
        onDone={({ id }) => go(withView(id))}
      />
      {open && (
        <>
          <NameView
            isOpen={dialog === "rename"}
            onOpenChange={change}
            title="Rename view"
            description="The view keeps its filters and its order."
            name={open.name}
            work={(name) => staffClient.views.update.mutate({ id: open.id, name })}
            announcement="View renamed"
          />
          <Confirm
            isOpen={dialog === "delete"}
            onOpenChange={change}
            title={`Delete “${open.name}”?`}
            text="The page keeps its filters. This can’t be undone."
            verb="Delete view"
            isDanger
            isBusy={action.isBusy}
            fault={action.fault}
            onConfirm={() => remove(open.id)}
          />
        </>
      )}
    </>
  );
}

const LONGEST = 24;

function shortName(name: string): string {
  return name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name;
}
