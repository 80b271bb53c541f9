import './dom-gaps.ts'
import { createMemoryHistory } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach } from 'vitest'
import { App } from '#app/app.tsx'
import { createAppRouter } from '#app/router.ts'

afterEach(() => localStorage.clear())

/** Opens a page of the app by its URL, through the real router; the BFF is `fakeBff`. */
export function renderPage(url: string) {
  const router = createAppRouter({ history: createMemoryHistory({ initialEntries: [url] }) })
  return { router, user: userEvent.setup(), ...render(<App router={router} />) }
}
