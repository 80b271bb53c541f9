import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { Kbd } from '#app/ui/kbd.tsx'
import { usePreferences } from '#app/ui/preferences.ts'

// Not on the way to the first page: fetched when first opened.
const PaletteDialog = lazy(async () => ({ default: (await import('./palette-dialog.tsx')).PaletteDialog }))
const PageKeys = lazy(async () => ({ default: (await import('./page-keys.tsx')).PageKeys }))

type Shown = 'palette' | 'keys'

const IS_APPLE = /Mac|iP(hone|ad)/.test(navigator.platform)
const FIELDS = 'input:not([type=checkbox]), select, textarea, dialog, [popover]'

/** The way to anything by a few letters: Ctrl-K or ⌘-K on every page. On `?`, the keys that work everywhere. */
export function Palette() {
  const { hasLetterKeys } = usePreferences()
  const [shown, setShown] = useState<Shown | null>(null)
  // Typed before the search was there to type in.
  const [typed, setTyped] = useState('')
  const [used, setUsed] = useState<readonly Shown[]>([])
  const open = (what: Shown) => {
    setUsed([...used, what])
    setShown(what)
    setTyped('')
  }
  const close = () => setShown(null)
  const follow = useEffectEvent((event: KeyboardEvent) => {
    if (
      event.key.toLowerCase() === 'k' &&
      (event.ctrlKey || event.metaKey) &&
      !event.altKey &&
      !event.shiftKey
    ) {
      event.preventDefault()
      if (shown === 'palette') close()
      else if (!document.querySelector('dialog[open]')) open('palette')
      return
    }
    if (shown === 'palette' && isLetter(event) && !document.querySelector('dialog[open]')) {
      event.preventDefault()
      event.stopPropagation()
      setTyped((before) => before + event.key)
      return
    }
    const isInField = event.target instanceof Element && event.target.closest(FIELDS)
    if (event.key !== '?' || !hasLetterKeys || isInField) return
    // A page with keys of its own shows those: it has had its turn by then.
    setTimeout(() => event.defaultPrevented || open('keys'))
  })

  useEffect(() => {
    const listen = (event: KeyboardEvent) => follow(event)
    // Before the page's own keys.
    addEventListener('keydown', listen, { capture: true })
    return () => removeEventListener('keydown', listen, { capture: true })
  }, [])

  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        title="Go to…"
        onClick={() => open('palette')}
        className="flex h-8 items-center gap-2 rounded-md px-2 text-muted text-xs hover:bg-hover hover:text-ink max-sm:h-11 xl:border xl:border-line"
      >
        <Icon name="search" />
        <span className="max-xl:sr-only">Go to…</span>
        <span className="max-xl:hidden">
          <Kbd>{IS_APPLE ? '⌘' : 'Ctrl'} K</Kbd>
        </span>
      </button>
      <Suspense>
        {used.includes('palette') && (
          <PaletteDialog
            typed={typed}
            isOpen={shown === 'palette'}
            onClose={close}
            onKeys={() => open('keys')}
          />
        )}
        {used.includes('keys') && <PageKeys isOpen={shown === 'keys'} onClose={close} />}
      </Suspense>
    </>
  )
}

function isLetter({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !altKey && !isComposing
}
