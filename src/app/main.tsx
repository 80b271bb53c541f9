import '@fontsource-variable/inter/wght.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { type AppRouter, createAppRouter } from './router.ts'
import './styles.css'

const root = document.getElementById('root')

// In a task of its own: to evaluate what is above keeps a slow phone busy for long enough.
if (root) setTimeout(start, 0, root)

function start(root: Element): void {
  const router = createAppRouter()
  // Before the first drawing, so that the page's data is requested as early as possible.
  router.load()
  setTimeout(draw, 0, root, router)
}

function draw(root: Element, router: AppRouter): void {
  createRoot(root).render(
    <StrictMode>
      <App router={router} />
    </StrictMode>,
  )
}
