import '#test/support/app/dom-gaps.ts'
import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { PAGE_STATES, slugOf } from './page-states.ts'
import { pressWhenThere } from './press-when-there.ts'
import { createStandInBff } from './stand-in-bff.ts'

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.unstubAllGlobals())

test.for(PAGE_STATES)('$page: $state', async ({ url, replies, says, press }) => {
  vi.stubGlobal('fetch', createStandInBff(replies))
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => {})
  const ended = new AbortController()
  onTestFinished(() => ended.abort())
  renderPage(url)
  if (press !== undefined) pressWhenThere(press, ended.signal)

  await waitFor(() => expect(document.body.textContent).toContain(says))
  expect(document.body).not.toHaveTextContent('This part of the page broke')
  expect(complaints.mock.calls.filter((complaint) => !isExpected(complaint))).toEqual([])
})

/** A refusal that a whole page is made of, which React reports; and an element that jsdom does not know. */
function isExpected(complaint: readonly unknown[]): boolean {
  return complaint.some((part) => part instanceof ApiError || part === 'search')
}

test('each state has an address of its own', () => {
  expect(new Set(PAGE_STATES.map(slugOf)).size).toBe(PAGE_STATES.length)
})
