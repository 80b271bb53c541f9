import '@fontsource-variable/inter/wght.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { createAppRouter } from './router.ts'
import './styles.css'

const root = document.getElementById('root')

// In a task of its own: to evaluate what is above keeps a slow phone busy for long enough.
if (root) setTimeout(draw, 0, root)

function draw(root: Element): void {
  createRoot(root).render(
    <StrictMode>
      <App router={createAppRouter()} />
    </StrictMode>,
  )
}
