import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { PersonName } from './person-name.tsx'

test.each([
  ['Ada Example', 'Ada Example'],
  ["o'hara@corp.example", "o'hara@corp.example"],
  ["Pat (o'hara@corp.example)", "Pat (o'hara@corp.example)"],
])('%s is shown as %s', (name, shown) => {
  expect(render(<PersonName name={name} />).container).toHaveTextContent(shown)
})
