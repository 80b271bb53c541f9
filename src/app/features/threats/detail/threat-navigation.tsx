import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { lazy, type MouseEvent, Suspense, useRef, useState } from 'react'
import { count } from '#app/format/count.ts'
import { Icon } from '#app/ui/icon.tsx'
import type { RouteSet } from '#contract/route-set.ts'
import { useFeedKeys } from '../feed/feed-keys.ts'
import { type ListPosition, useListPosition, useListScope } from '../feed/list-position.tsx'
import { threatListOptions } from '../threat-options.ts'

// Fetched when first opened.
const KeyMap = lazy(async () => ({ default: (await import('../feed/key-map.tsx')).KeyMap }))

/** To the list as it was left: by the browser's own Back where that leads there, which also finds the scroll position. */
export function BackToFeed() {
  const { history } = useRouter()
  const { position } = useListPosition()
  const link = useRef<HTMLAnchorElement>(null)
  const [keyMap, setKeyMap] = useState<'unused' | 'open' | 'closed'>('unused')
  useFeedKeys({ leave: () => link.current?.click(), help: () => setKeyMap('open') })

  const goBack = (event: MouseEvent) => {
    const steps = history.location.state.__TSR_index - (position?.historyIndex ?? Number.POSITIVE_INFINITY)
    if (!(steps > 0) || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    history.go(-steps)
  }

  return (
    <>
      <Link
        ref={link}
        to="/threats"
        search={position?.search ?? {}}
        onClick={goBack}
        className="-ml-1 inline-flex h-7 items-center gap-1.5 rounded-md px-1 font-medium text-muted text-sm hover:text-ink"
      >
        <Icon name="arrow-left" className="size-3.5" />
        Threats
      </Link>
      {keyMap !== 'unused' && (
        <Suspense>
          <KeyMap page="threat" isOpen={keyMap === 'open'} onClose={() => setKeyMap('closed')} />
        </Suspense>
      )}
    </>
  )
}

type NeighbourLinksProps = { id: string; set: RouteSet | undefined }

/** The threats before and after this one in the list that the reader came from. */
export function NeighbourLinks({ id, set }: NeighbourLinksProps) {
  const { position, setPosition } = useListPosition()
  return position && <Neighbours id={id} set={set} position={position} onMove={setPosition} />
}

type NeighboursProps = NeighbourLinksProps & { position: ListPosition; onMove(position: ListPosition): void }

function Neighbours({ id, set, position, onMove }: NeighboursProps) {
  const options = threatListOptions(useListScope(position.search))
  // Asks nothing: being at it keeps the list as it was left, though opening a threat may have changed what it is of.
  const { data } = useInfiniteQuery({ ...options, enabled: false })
  const previous = useRef<HTMLAnchorElement>(null)
  const next = useRef<HTMLAnchorElement>(null)
  useFeedKeys({ previous: () => previous.current?.click(), next: () => next.current?.click() })

  const threats = data?.threats ?? []
  const index = threats.findIndex((threat) => threat.id === id)
  if (index === -1) return null

  const neighbour = (label: string, icon: 'chevron-left' | 'chevron-right', at: number) => {
    const threat = threats[at]
    if (!threat) return null
    return (
      <Link
        to="/threats/$id"
        params={{ id: threat.id }}
        search={{ set }}
        replace
        ref={at < index ? previous : next}
        aria-label={label}
        title={label}
        className="grid size-8 place-items-center rounded-md hover:bg-hover hover:text-ink"
        onClick={() => onMove({ ...position, threatId: threat.id })}
      >
        <Icon name={icon} />
      </Link>
    )
  }

  return (
    <nav aria-label="Neighbours in the list" className="flex items-center gap-1 text-muted">
      <span className="mr-1 text-xs tabular-nums">
        {count(index + 1)} of {count(threats.length)} loaded
      </span>
      {neighbour('Previous threat', 'chevron-left', index - 1)}
      {neighbour('Next threat', 'chevron-right', index + 1)}
    </nav>
  )
}
