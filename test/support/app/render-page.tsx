import './dom-gaps.ts'
import '@testing-library/jest-dom/vitest'
import { createMemoryHistory } from '@tanstack/react-router'
import { cleanup, render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach } from 'vitest'
import { App } from '#app/app.tsx'
import { createAppRouter } from '#app/router.ts'

afterEach(() => {
  cleanup()
  localStorage.clear()
})

/** Opens a page of the app by its URL, through the real router; the BFF is `fakeBff`. */
export function renderPage(url: string) {
  const router = createAppRouter({ history: createMemoryHistory({ initialEntries: [url] }) })
  return { router, user: userEvent.setup(), ...render(<App router={router} />) }
}
