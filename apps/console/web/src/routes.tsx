import { type ComponentType, lazy, Suspense, useEffect, useLayoutEffect } from 'react';
import { Loading } from './components/states';
import { usePath } from './router/navigation';
import { matchPath } from './router/path-pattern';

export interface PageProps {
  params: Record<string, string>;
}

export interface Route {
  path: string;
  title: string;
  page: ComponentType<PageProps>;
}

/** A page whose code is loaded when it is first opened. */
export const lazyRoute = <Name extends string>(
  path: string,
  title: string,
  name: Name,
  load: () => Promise<Record<Name, Route['page']>>,
): Route => ({ path, title, page: lazy<Route['page']>(async () => ({ default: (await load())[name] })) });

const TITLE_CHARS = 60;

/** Names the page in its tab by what it shows. */
export function useTitle(text: string): void {
  useEffect(() => {
    document.title = document.title.replace(/^.* · /s, () => `${text.slice(0, TITLE_CHARS)} · `);
  }, [text]);
}

interface RoutesProps {
  routes: readonly Route[];
  service: string;
  missing: ComponentType;
}

/** Shows the page of the address, names it in the title, and moves the focus to its heading, as a page load would. */
export function Routes({ routes, service, missing: Missing }: RoutesProps) {
  const path = usePath();
  const match = matchPath(
    routes.map((route) => route.path),
    path,
  );
  const route = routes.find((one) => one.path === match?.pattern);
  const title = route?.title ?? 'Not found';
  // Before the effects of the page, which may know a better title.
  useLayoutEffect(() => {
    document.title = `${title} · ${service}`;
  }, [title, service]);
  if (!match || !route) return <Missing />;
  const Page = route.page;
  return (
    <Suspense fallback={<Loading />}>
      <Page key={path} params={match.params} />
    </Suspense>
  );
}
