import { type ReactNode, Suspense } from "react";
import { type Reading, reading } from "@/app/dashboard/(staff)/reading";
import { address, cursorOf, firstOf, type Params, valuesOf } from "@/components/dashboard/address/address";
import { Pager } from "@/components/dashboard/address/pager";
import { isBackwards, type Range } from "@/components/dashboard/address/time-range";
import { CountTabs } from "@/components/dashboard/filters/count-tabs";
import { FilterBar } from "@/components/dashboard/filters/filter-bar";
import { type QueriedFilters, queriedFilters } from "@/components/dashboard/filters/queried";
import { SortMenu } from "@/components/dashboard/filters/sort-menu";
import { isSorted, sortOf, sortOptions } from "@/components/dashboard/filters/sorting";
import { chipsOf, type Option } from "@/components/dashboard/filters/spec";
import { Deferred } from "@/components/dashboard/live/deferred";
import { PageHead } from "@/components/dashboard/page-head";
import { PanelFrame } from "@/components/dashboard/panel/panel-frame";
import { PanelSkeleton } from "@/components/dashboard/panel/panel-skeleton";
import { IgnoredFilters, Views } from "@/components/dashboard/views/views";
import { LinkButton } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/notice";
import { Count } from "@/components/ui/number";
import { SkeletonRows } from "@/components/ui/skeleton";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";
import type { StaffCaller } from "@/server/services/staff/api";
import type { ListFilters, Search, Sorts } from "@/server/services/staff/lists/list";
import type { Count as Counted, Page } from "@/server/services/staff/lists/paging";
import type { Role } from "@/server/services/staff/procedure/staff-context";
import type { ViewedList } from "@/server/services/staff/views/shapes";

/** The declaration that any list has. */
interface Declared {
  name: ViewedList;
  path: string;
  search: Search;
  filters: ListFilters;
  sorts: Sorts;
}

/** The part of a list that a page currently shows. */
export interface ListView<List extends Declared> {
  api: StaffCaller;
  role: Role;
  /** The page's path. */
  path: string;
  params: Params;
  now: number;
  /** The filters in the query. */
  chosen: QueriedFilters<List>;
  /** The same, and the page's application. */
  filters: QueriedFilters<List>;
  /** All rows belong to one application, which the page names. */
  isOfOneApplication: boolean;
  /** All rows belong to one account, which the page names. */
  isOfOneAccount: boolean;
}

/** A list as pages show it: its declaration, how it is read, and its own parts. */
export interface Listing<List extends Declared, Row, Input> {
  list: List;
  title: string;
  /** Shown when it can't be read: a title, and advice. */
  refused: { title: string; advice: string };
  page(api: StaffCaller, input: Input): Promise<Page<Row>>;
  count(api: StaffCaller, input: Input): Promise<Counted>;
  /** A filter of which each value is a tab with its count, instead of a chip. */
  tabs?: { filter: keyof List["filters"] & string; label: string; options: readonly Option[] };
  /** The options of chips that use the table's words. */
  options?: { [Name in keyof List["filters"]]?: readonly Option[] };
  table(shown: ListView<List>, rows: readonly Row[]): ReactNode;
  /** Shown instead of an empty table. `clear` links to the whole list. */
  nothing(shown: ListView<List>, clear: ReactNode): ReactNode;
  actions?(shown: ListView<List>, counting: Promise<Reading<Counted>>): ReactNode;
  above?(shown: ListView<List>): ReactNode;
  /** Shown between the filters and the table. */
  notes?(shown: ListView<List>, rows: readonly Row[]): Promise<ReactNode>;
  /** Keeps the first page up to date: `pulse` is read before its rows, and compared from then on. */
  live?: {
    pulse(shown: ListView<List>): Promise<unknown>;
    watch(shown: ListView<List>, seen: unknown): ReactNode;
  };
  /** The panel in which a row opens. */
  panel?: { thing: string; open(shown: ListView<List>, id: string, closeHref: string): ReactNode };
}

interface StaffListProps<List extends Declared, Row, Input> {
  of: Listing<List, Row, Input>;
  params: Params;
  /** The only application whose rows the page shows, and the page's path. */
  application?: { id: string; path: string };
  /** The same for an account. */
  account?: { id: string; path: string };
}

/** Shows a page that is a list: its head, the filters, a page of rows and the open row. */
export async function StaffList<List extends Declared, Row, Input>(props: StaffListProps<List, Row, Input>) {
  const { of, params, application, account } = props;
  const owner = application ?? account;
  const { list, panel } = of;
  const { api, operator } = await staffPage();
  const now = clock().now();
  const path = owner?.path ?? list.path;
  const chosen = queriedFilters(list, params, now);
  const filters = {
    ...chosen,
    ...(application && { application: application.id }),
    ...(account && { account: account.id }),
  };
  const shown = {
    api,
    role: operator.role,
    path,
    params,
    now,
    chosen,
    filters,
    isOfOneApplication: Boolean(owner),
    isOfOneAccount: Boolean(account),
  };
  const counts = countsOf(of, shown);
  const head = owner ? null : headOf(of, shown, counts);
  const [applications, views] = owner
    ? [null, null]
    : await Promise.all([api.applications.names(), api.views.list({ list: list.name })]);
  const open = firstOf(params, "open");
  const chips = chipsOf(list, {
    ...of.options,
    ...(applications && { application: applications.map(({ id, name }) => ({ value: id, label: name })) }),
  }).filter(({ name }) => !(account && name === "account"));
  const closed = address(path, params, { open: null });
  return (
    <>
      {head}
      {of.tabs && <Tabs tabs={of.tabs} shown={shown} counts={counts} />}
      <FilterBar
        path={path}
        params={params}
        search={list.search}
        filters={chips.filter(({ name }) => name !== of.tabs?.filter || valuesOf(params, name).length > 1)}
      >
        {views && <Views list={list.name} params={params} views={views} />}
        <SortMenu options={sortOptions(list, path, params)} current={sortOf(list, params)} />
      </FilterBar>
      {views && <IgnoredFilters list={list.name} params={params} views={views} />}
      {of.above?.(shown)}
      <Suspense fallback={<SkeletonRows />}>
        <Rows of={of} shown={shown} />
      </Suspense>
      {open && panel && (
        <PanelFrame id={open} closeHref={closed} label={`${panel.thing} ${open}`}>
          <Suspense key={open} fallback={<PanelSkeleton closeHref={closed} />}>
            {panel.open(shown, open, closed)}
          </Suspense>
        </PanelFrame>
      )}
    </>
  );
}

/** Counts the list as it is filtered, but for the values of its tabs: null is "All". */
type Counts = (values: readonly string[] | null) => Promise<Reading<Counted>>;

/** Counts a list for its head and its tabs. The tab that is shown has the count of the head. */
function countsOf<List extends Declared, Row, Input>(of: Listing<List, Row, Input>, shown: ListView<List>): Counts {
  const known = new Map<string, Promise<Reading<Counted>>>();
  return (values) => {
    const key = JSON.stringify(values);
    const filters = of.tabs ? { ...shown.filters, [of.tabs.filter]: values ?? undefined } : shown.filters;
    // The query may contain anything: procedures reject what they do not know.
    const counting = known.get(key) ?? reading(of.count(shown.api, filters as Input));
    known.set(key, counting);
    return counting;
  };
}

/** Shows the head. The count is read while the rest of the page is. */
function headOf<List extends Declared, Row, Input>(
  of: Listing<List, Row, Input>,
  shown: ListView<List>,
  counts: Counts,
) {
  const values = of.tabs ? valuesOf(shown.params, of.tabs.filter) : [];
  const counting = counts(values.length === 0 ? null : values);
  return (
    <PageHead
      title={of.title}
      count={<Deferred of={counting.then(({ value }) => value && <Count {...value} />)} />}
      actions={of.actions?.(shown, counting)}
    />
  );
}

interface TabsProps<List extends Declared, Row, Input> {
  tabs: NonNullable<Listing<List, Row, Input>["tabs"]>;
  shown: ListView<List>;
  counts: Counts;
}

/** Shows the tabs. Their counts are read while the rest of the page is. */
function Tabs<List extends Declared, Row, Input>({ tabs, shown, counts }: TabsProps<List, Row, Input>) {
  const { path, params } = shown;
  const count = async (value: string | null) => (await counts(value === null ? null : [value])).value;
  return <CountTabs {...{ path, params, count }} name={tabs.filter} label={tabs.label} options={tabs.options} />;
}

interface RowsProps<List extends Declared, Row, Input> {
  of: Listing<List, Row, Input>;
  shown: ListView<List>;
}

async function Rows<List extends Declared, Row, Input>({ of, shown }: RowsProps<List, Row, Input>) {
  const { api, path, params, filters, chosen } = shown;
  const after = cursorOf(params);
  const live = after === undefined ? of.live : undefined;
  const pulse = live && (await reading(live.pulse(shown)));
  const sort = firstOf(params, "sort");
  const page = await reading(of.page(api, { ...filters, after, ...(sort && { sort }) } as Input));
  const clear = <LinkButton href={path}>Show all {of.list.name}</LinkButton>;
  const isRefused = page.fault !== undefined || isBackwards(chosen as Range);
  if (isRefused) {
    return (
      <ErrorState title={of.refused.title} action={clear}>
        {page.fault ?? "The time range ends before it starts."} {of.refused.advice}
      </ErrorState>
    );
  }
  const { items, next } = page.value;
  return (
    <>
      {await of.notes?.(shown, items)}
      {items.length === 0 ? of.nothing(shown, clear) : of.table(shown, items)}
      {live?.watch(shown, pulse?.value)}
      <Pager path={path} params={params} next={next} isSorted={isSorted(of.list, params)} />
    </>
  );
}
