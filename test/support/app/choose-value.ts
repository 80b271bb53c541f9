import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect } from 'vitest'

/** What the open list of a filter offers. By selector: the names of 250 countries are long to compute. */
export function offeredValues(): (string | null)[] {
  return [...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent)
}

/** Types what alone is called so into a filter of several values, ticks it, and closes the list. */
export async function chooseValue(user: UserEvent, label: string, text: string): Promise<void> {
  await user.type(screen.getByLabelText(label), text)
  await waitFor(() => expect(offeredValues()).toHaveLength(1))
  await user.keyboard('{Enter}')
  await user.keyboard('{Escape}{Escape}')
}
