import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonLook } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'

type ActorLinksProps = { name: string; aliases: readonly string[]; tools: ReactNode }

/** What to do about an actor. */
export function ActorLinks({ name, aliases, tools }: ActorLinksProps) {
  return (
    <div className="ml-auto flex flex-wrap gap-2 max-sm:ml-0">
      <Link to="/threats" search={{ actor: [name] }} className={`${buttonLook()} max-sm:h-10`}>
        All its threats
      </Link>
      {tools}
      <Link
        to="/alerts/new"
        search={{ name, keyword: [name, ...aliases] }}
        title={`Create an alert profile that watches for ${aliases.length > 0 ? 'these names' : 'this name'}`}
        className={`${buttonLook({ variant: 'primary' })} max-sm:h-10`}
      >
        <Icon name="plus" />
        Follow
      </Link>
    </div>
  )
}
