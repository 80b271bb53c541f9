import './dom-gaps.ts'
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach } from 'vitest'

afterEach(() => localStorage.clear())

/** Draws one part that needs no router and no data. */
export function renderPart(part: ReactNode) {
  return { user: userEvent.setup(), ...render(part) }
}
