/** Next calls it when a navigation begins, in the same event. components/dashboard/shell/navigation-bar.tsx listens. */
export function onRouterTransitionStart(): void {
  document.dispatchEvent(new Event("almanac:navigation"));
}
