import '@fontsource-variable/inter/wght.css'
import '#app/styles.css'
import './gallery.css'
import { createMemoryHistory } from '@tanstack/react-router'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#app/app.tsx'
import { createAppRouter } from '#app/router.ts'
import { Gallery } from './gallery.tsx'
import { keepStorageInMemory } from './keep-storage-in-memory.ts'
import { PAGE_STATES, slugOf } from './page-states.ts'
import { pressWhenThere } from './press-when-there.ts'
import { createStandInBff } from './stand-in-bff.ts'

const search = new URLSearchParams(location.search)
const slug = search.get('state')
const shown = PAGE_STATES.find((one) => slugOf(one) === slug) ?? PAGE_STATES[0]

// `frame` names the theme of a document that holds one page of the app and nothing else.
const theme = search.get('frame')
if (shown && theme) {
  keepStorageInMemory({ 'lantern.preferences': JSON.stringify({ theme }) })
  document.documentElement.dataset.theme = theme
  globalThis.fetch = createStandInBff(shown.replies)
  const history = createMemoryHistory({ initialEntries: [shown.url] })
  draw(<App router={createAppRouter({ history })} />)
  if (shown.press !== undefined) pressWhenThere(shown.press)
} else if (shown) draw(<Gallery shown={shown} width={search.get('width')} />)

function draw(content: ReactNode): void {
  const root = document.getElementById('root')
  if (root) createRoot(root).render(<StrictMode>{content}</StrictMode>)
}
