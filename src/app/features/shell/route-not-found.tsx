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
      <p className="text-muted text-sm">The address may be mistyped, or the page was moved.</p>
      <Link
        to="/threats"
        className="mt-2 rounded-sm font-medium text-accent text-sm underline-offset-4 hover:underline"
      >
        Go to the threats
      </Link>
    </div>
  )
}
