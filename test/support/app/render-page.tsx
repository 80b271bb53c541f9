import './dom-gaps.ts'
import { createMemoryHistory } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach } from 'vitest'
import { App } from '#app/app.tsx'
import { createAppRouter } from '#app/router.ts'

afterEach(() => localStorage.clear())

/** Opens a page of the app by its URL, through the real router; the BFF is `fakeBff`. `left` is where the app led out of itself. */
export function renderPage(url: string) {
  const left: string[] = []
  const router = createAppRouter({
    history: createMemoryHistory({ initialEntries: [url] }),
    openAddress: (address) => left.push(address),
  })
  return { router, left, user: userEvent.setup(), ...render(<App router={router} />) }
}
