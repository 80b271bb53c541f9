import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderPart } from '#test/support/app/render-part.tsx'
import { ChipField } from './chip-field.tsx'

function Fruits({ start = [] }: { start?: string[] }) {
  const [values, setValues] = useState(start)
  return (
    <form onSubmit={() => setValues(['sent'])}>
      <ChipField
        label="Fruits"
        name="fruits"
        values={values}
        onChange={setValues}
        split={(text) =>
          text
            .split(/[,\n]/)
            .map((each) => each.trim())
            .filter((each) => each !== '')
        }
        noteOf={(value) => (value === 'stone' ? { tone: 'danger', text: 'no fruit' } : null)}
      />
      <button type="submit">Send</button>
    </form>
  )
}

const chips = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)
const input = () => screen.getByRole('textbox', { name: 'Fruits' })

test('Enter, a comma and leaving the field each add what was typed, and send nothing', async () => {
  const { user } = renderPart(<Fruits />)
  await user.type(input(), 'apple{Enter}pear,{Enter}plum')
  expect(chips()).toEqual(['apple', 'pear'])
  await user.tab()
  expect(chips()).toEqual(['apple', 'pear', 'plum'])
  expect(input()).toHaveValue('')
})

test('a paste of several adds each', async () => {
  const { user } = renderPart(<Fruits start={['apple']} />)
  await user.click(input())
  await user.paste('pear\nplum, fig\n')
  expect(chips()).toEqual(['apple', 'pear', 'plum', 'fig'])
})

test('Backspace returns the last chip to the field for editing', async () => {
  const { user } = renderPart(<Fruits start={['apple', 'pear']} />)
  await user.type(input(), '{Backspace}')
  expect(chips()).toEqual(['apple'])
  expect(input()).toHaveValue('pear')
})

test('arrows reach each one, Delete removes it, and the focus goes to the next', async () => {
  const { user } = renderPart(<Fruits start={['apple', 'pear', 'plum']} />)
  await user.type(input(), '{ArrowLeft}{ArrowLeft}')
  expect(screen.getByRole('button', { name: 'Remove pear' })).toHaveFocus()
  await user.keyboard('{Delete}')
  expect(chips()).toEqual(['apple', 'plum'])
  await expect.poll(() => document.activeElement).toBe(screen.getByRole('button', { name: 'Remove plum' }))
  await user.keyboard('{ArrowRight}')
  expect(input()).toHaveFocus()
})

test('shows the fault of a chip, also in the description of the field', async () => {
  renderPart(<Fruits start={['apple', 'stone']} />)
  expect(screen.getByText(/: no fruit$/)).toBeVisible()
  expect(input()).toBeInvalid()
  expect(input()).toHaveAccessibleDescription('stone: no fruit')
})
