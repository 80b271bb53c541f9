import { Link } from '@tanstack/react-router'
import { Icon } from '#app/ui/icon.tsx'
import { closePopoverOf, Popover } from '#app/ui/popover.tsx'

const LINK =
  'flex items-center rounded-md font-medium text-muted transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-pressed aria-[current=page]:text-ink'

/** The pages in a row, where there is room for one. */
export function Navigation() {
  return (
    <nav aria-label="Pages" className="flex gap-1 text-sm max-lg:hidden">
      {PAGES.map(({ to, label }) => (
        <Link key={to} to={to} activeOptions={{ exact: to === '/' }} className={`h-8 px-2.5 ${LINK}`}>
          {label}
        </Link>
      ))}
    </nav>
  )
}

/** The same pages behind a button, where there is none. */
export function NavigationMenu() {
  return (
    <Popover
      label="Pages"
      className="w-56 p-1"
      renderTrigger={(props) => (
        <button
          type="button"
          aria-label="Open the list of pages"
          className="grid size-10 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink sm:size-8 lg:hidden"
          {...props}
        >
          <Icon name="menu" className="size-5" />
        </button>
      )}
    >
      <nav aria-label="Pages">
        {PAGES.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: to === '/' }}
            onClick={(event) => closePopoverOf(event.currentTarget)}
            className={`h-10 px-3 text-base ${LINK}`}
          >
            {label}
          </Link>
        ))}
      </nav>
    </Popover>
  )
}

/** The pages of the navigation, in its order. */
const PAGES = [
  { to: '/', label: 'Overview' },
  { to: '/threats', label: 'Threats' },
  { to: '/shift', label: 'Shift' },
  { to: '/actors', label: 'Actors' },
  { to: '/countries', label: 'Countries' },
  { to: '/alerts', label: 'Alerts' },
  { to: '/lists', label: 'Lists' },
  { to: '/metrics', label: 'Metrics' },
] as const
