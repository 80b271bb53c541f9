import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aConcern } from '#test/fixtures/threat-fixtures.ts'
import { ConcernBadge } from './concern-badge.tsx'

test('names the entry and, for eyes and ears, the reason', async () => {
  render(<ConcernBadge concerns={[aConcern()]} />)

  const badge = await screen.findByTitle('same domain okapi[.]example, list Suppliers')
  expect(badge).toHaveTextContent('Supplier: Okapi Ltd (same domain okapi[.]example, list Suppliers)')
  // A row's link covers what is not positioned above it.
  expect(badge).toHaveClass('relative')
})

test('a match that a person has to confirm is a question, and others are counted', async () => {
  const words = aConcern({ certainty: 'to-confirm', rule: 'name-in-text', text: 'Okapi\u202e' })
  render(<ConcernBadge concerns={[words, aConcern({ kind: 'customer' })]} />)

  const badge = await screen.findByTitle(/^name in the text “Okapi[^\u202e]*”, list Suppliers$/)
  expect(badge).toHaveTextContent(/^Supplier\? Okapi Ltd \+1/)
})

test('a threat that no list matches has none', () => {
  const { container } = render(<ConcernBadge concerns={undefined} />)
  expect(container).toBeEmptyDOMElement()
})
