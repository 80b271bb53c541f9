import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonLook } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'

type CountryLinksProps = { code: string; name: string; tools: ReactNode }

/** What to do about a country. */
export function CountryLinks({ code, name, tools }: CountryLinksProps) {
  return (
    <div className="ml-auto flex flex-wrap gap-2 max-sm:ml-0">
      <Link to="/threats" search={{ country: [code] }} className={`${buttonLook()} max-sm:h-10`}>
        All its threats
      </Link>
      {tools}
      <Link
        to="/alerts/new"
        search={{ name, keyword: [name] }}
        title="Create an alert profile that watches for this name"
        className={`${buttonLook({ variant: 'primary' })} max-sm:h-10`}
      >
        <Icon name="plus" />
        Follow
      </Link>
    </div>
  )
}
