import { Link, useRouter } from '@tanstack/react-router'
import { lazy, type MouseEvent, Suspense, useRef, useState } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { useListPosition } from '../feed/list-position.tsx'
import { useFeedKeys } from '../feed/use-feed-keys.ts'

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
