import { Link } from '@tanstack/react-router'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { Icon } from '#app/ui/icon.tsx'

export function RouteNotFound() {
  return (
    <div className="grid justify-items-center gap-2 py-24 text-center">
      <DocumentTitle title="Page not found" />
      <span className="grid size-12 place-items-center rounded-full bg-hover text-faint">
        <Icon name="search" className="size-5" />
      </span>
      <h1 className="mt-2 font-semibold text-xl">There is no such page</h1>
      <p className="max-w-prose text-muted text-sm">
        The address may be mistyped or cut off: compare it with where you found it, or ask who gave it to you.
        The search at the top finds pages, actors, countries and threats by name.
      </p>
      <p className="flex flex-wrap justify-center gap-x-4">
        <NotFoundLink to="/">Go to the overview</NotFoundLink>
        <NotFoundLink to="/threats">Go to the threats</NotFoundLink>
      </p>
    </div>
  )
}

function NotFoundLink({ to, children }: { to: '/' | '/threats'; children: string }) {
  return (
    <Link
      to={to}
      className="touch mt-2 rounded-sm font-medium text-accent text-sm underline-offset-4 hover:underline"
    >
      {children}
    </Link>
  )
}
