import { Link } from '@tanstack/react-router'
import { Icon } from '#app/ui/icon.tsx'

const BUTTON =
  'inline-flex h-8 items-center gap-2 rounded-md border px-3 font-medium text-sm transition-colors max-sm:h-10'

/** What to do about a country. */
export function CountryLinks({ code, name }: { code: string; name: string }) {
  return (
    <div className="ml-auto flex flex-wrap gap-2 max-sm:ml-0">
      <Link
        to="/threats"
        search={{ country: [code] }}
        className={`${BUTTON} border-edge bg-surface shadow-raised hover:bg-hover active:bg-pressed`}
      >
        All its threats
      </Link>
      <Link
        to="/alerts/new"
        search={{ name, keyword: [name] }}
        title="Create an alert profile that watches for this name"
        className={`${BUTTON} border-transparent bg-accent text-on-accent hover:bg-accent-strong`}
      >
        <Icon name="plus" />
        Follow
      </Link>
    </div>
  )
}
