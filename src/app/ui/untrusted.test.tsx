import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { renderPart } from '#test/support/app/render-part.tsx'
import { Indicator } from './indicator.tsx'
import { Untrusted } from './untrusted.tsx'

const OUR_ELEMENTS = ['BDI', 'SPAN', 'BUTTON', 'DIV', 'svg', 'path']

test.for(Object.entries(NASTY_STRINGS))('shows %s as inert text', ([, text]) => {
  const { container } = renderPart(
    <>
      <Untrusted text={text} multiline />
      <Indicator value={text} />
    </>,
  )

  for (const element of container.querySelectorAll('*')) {
    expect(OUR_ELEMENTS).toContain(element.tagName)
    expect(element.getAttributeNames().filter((name) => name.startsWith('on'))).toEqual([])
  }
  expect(container.querySelector('[href], [src], [style], a')).toBeNull()
  expect(window).not.toHaveProperty('stolen')
})

test('shows text as it is where nothing in it acts unseen', () => {
  const { container } = renderPart(<Untrusted text={'<b>Łódź</b>\n株式会社 👨‍👩‍👧'} multiline />)
  expect(container.querySelector('bdi')?.textContent).toBe('<b>Łódź</b>\n株式会社 👨‍👩‍👧')
})

test('draws a character that would act unseen as a sign with a name', () => {
  renderPart(<Untrusted text={'invoice\u202egpj.exe'} />)
  expect(screen.getByRole('img', { name: 'right-to-left override, U+202E' })).toHaveTextContent('U+202E')
})

test('draws a run of one unseen character as one sign', () => {
  renderPart(<Untrusted text={`a${'\u200b'.repeat(500)}b`} />)
  expect(screen.getByRole('img', { name: '500 × zero width space, U+200B' })).toBeVisible()
})

test('cuts long text until a press shows all of it', async () => {
  const { container, user } = renderPart(<Untrusted text={'lorem '.repeat(2000)} maxLength={100} />)
  const shown = () => container.querySelector('bdi')?.textContent ?? ''

  expect(shown()).toHaveLength(101)
  await user.click(screen.getByRole('button', { name: 'Show all 12,000 characters' }))
  expect(shown()).toHaveLength(12_000)
  await user.click(screen.getByRole('button', { name: 'Show less' }))
  expect(shown()).toHaveLength(101)
})

test('never cuts a character in half', () => {
  const { container } = renderPart(<Untrusted text="ab🔥cd" maxLength={3} />)
  expect(container.querySelector('bdi')?.textContent).toBe('ab…')
})

test('marks the highlighted ranges', () => {
  const { container } = renderPart(
    <Untrusted
      text="Northwind and Contoso"
      highlights={[
        { start: 0, end: 9 },
        { start: 14, end: 21 },
      ]}
    />,
  )
  expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual([
    'Northwind',
    'Contoso',
  ])
})

test.for([
  ['See [a] at www.acme.example', 'acme', 'See [a] at www[.]acme[.]example'],
  ['Files of acme.example, here', 'acme', 'Files of acme[.]example, here'],
  ['Files of acme.example, here', 'example', 'Files of acme[.]example, here'],
  ['Files of acme.example, here', 'here', 'Files of acme[.]example, here'],
  ['Go to http://evil.example/a', 'evil.example', 'Go to hxxp[:]//evil[.]example/a', 'evil[.]example'],
])(
  'leaves no address live that a highlight cuts: %s, %s',
  ([text = '', word = '', shown = '', mark = word]) => {
    const start = text.indexOf(word)
    const { container } = renderPart(
      <Untrusted text={text} highlights={[{ start, end: start + word.length }]} isProse />,
    )
    expect(container.querySelector('bdi')).toHaveTextContent(shown)
    expect(container.querySelector('mark')?.textContent).toBe(mark)
  },
)

test('shows an address defanged, and never as a link', () => {
  const { container } = renderPart(<Indicator value="https://evil.example/login.php" />)
  expect(container).toHaveTextContent('hxxps[:]//evil[.]example/login.php')
  expect(screen.queryByRole('link')).toBeNull()
})

test('leaves no address live in running text', () => {
  const { container } = renderPart(<Untrusted text="See http://evil.onion/a or ask ceo@acme.example" />)
  expect(container).toHaveTextContent('See hxxp[:]//evil[.]onion/a or ask ceo[@]acme[.]example')
})

test('defangs bare domains where the text is prose, and leaves names alone', () => {
  const { container } = renderPart(<Untrusted text="Node.js files of acme.example" isProse />)
  expect(container).toHaveTextContent('Node.js files of acme[.]example')
})

test('leaves a record unchanged by choice', () => {
  const { container } = renderPart(<Untrusted text='{"url":"http://evil.onion/a"}' isRaw />)
  expect(container).toHaveTextContent('{"url":"http://evil.onion/a"}')
})

test('copies an address defanged in one press, or raw by choice', async () => {
  const { user } = renderPart(<Indicator value="https://evil.example" />)
  const writeText = vi.spyOn(navigator.clipboard, 'writeText')

  await user.click(screen.getByRole('button', { name: 'Copy hxxps[:]//evil[.]example' }))
  expect(writeText).toHaveBeenLastCalledWith('hxxps[:]//evil[.]example')
  expect(screen.getByRole('status')).toHaveTextContent('Copied')

  await user.click(screen.getByRole('button', { name: 'More ways: Copy hxxps[:]//evil[.]example' }))
  await user.click(screen.getByRole('menuitem', { name: 'Copy raw' }))
  expect(writeText).toHaveBeenLastCalledWith('https://evil.example')
})

test('says in words that a domain is not what it looks like, and marks no ordinary name', () => {
  const { container } = renderPart(<Untrusted text={'Data of \u0430pple.com'} isProse />)
  expect(container).toHaveTextContent(
    'Data of \u0430pple[.]com looks like apple[.]com, but \u0430 is Cyrillic',
  )
  const plain = renderPart(<Untrusted text="Почта России, почта.рф, ソニーsony.co.jp" isProse />)
  expect(plain.container).toHaveTextContent('Почта России, почта[.]рф, ソニーsony[.]co[.]jp')
})

test.each(['   ', '\u00a0\u3000', '\n\t'])('names %j, in which there is nothing to see', (text) => {
  const { container } = renderPart(<Untrusted text={text} />)
  expect(container).toHaveTextContent('(blank)')
})
