import { Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { LanternMark } from '#app/ui/lantern-mark.tsx'
import { closePopoverOf, Popover } from '#app/ui/popover.tsx'
import { SkipLink } from '#app/ui/skip-link.tsx'

type ShellProps = {
  /** Lines across the page about the state of its data. */
  banners: ReactNode
  /** The right end of the top bar. */
  tools: ReactNode
  children: ReactNode
}

/** Frame around every page of a signed-in user, error pages included. */
export function Shell({ banners, tools, children }: ShellProps) {
  useHeadingFocus()
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink to="main" onFollow={skipToMain}>
        Skip to content
      </SkipLink>
      <header className="to-edge print:hidden sticky top-0 z-30 flex min-h-12 flex-wrap items-center gap-2 border-line border-b bg-surface px-2 sm:gap-5 sm:px-6">
        <NavigationMenu />
        <Link to="/" className="flex items-center gap-2 rounded-md font-semibold text-base tracking-tight">
          <LanternMark />
          Lantern
        </Link>
        <Navigation />
        <div className="ml-auto flex min-w-0 flex-wrap items-center gap-1 sm:gap-2">{tools}</div>
      </header>
      {banners}
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-[100rem] flex-1 px-4 py-4 outline-none sm:px-6 print:p-0"
      >
        {children}
      </main>
    </div>
  )
}

function skipToMain() {
  document.getElementById('main')?.focus()
  scrollTo({ top: 0 })
}

/** The most animation frames to wait for a page's heading. */
const DRAWN_WITHIN_FRAMES = 300

/**
 * Moves the focus to the heading of the page that was opened, which screen readers then read: in one page of script, no
 * browser does. Not on the first page of a visit, and not where a page has given the focus to a part of its own.
 */
function useHeadingFocus(): void {
  const router = useRouter()

  useEffect(() => {
    let left: Element | null = null
    let frame = 0
    const stopLeaving = router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
      if (pathChanged) left = document.activeElement
    })
    const stopArriving = router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
      if (!pathChanged || !fromLocation) return
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => follow(DRAWN_WITHIN_FRAMES))
    })
    const follow = (framesLeft: number) => {
      const { activeElement } = document
      if (activeElement !== left && activeElement?.closest('main, dialog[open]')) return
      const heading = document.querySelector<HTMLElement>('main h1')
      if (heading) focusHeading(heading)
      else if (framesLeft > 0) frame = requestAnimationFrame(() => follow(framesLeft - 1))
    }
    return () => {
      stopLeaving()
      stopArriving()
      cancelAnimationFrame(frame)
    }
  }, [router])
}

function focusHeading(heading: HTMLElement): void {
  heading.tabIndex = -1
  // The router restores how far the page was scrolled.
  heading.focus({ preventScroll: true })
}

const LINK =
  'flex items-center rounded-md font-medium text-muted transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-pressed aria-[current=page]:text-ink'

/** The pages in a row, where there is room for one. */
function Navigation() {
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
function NavigationMenu() {
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
