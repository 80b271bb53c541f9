import type { PageState } from './page-state.ts'
import { PAGE_STATES, slugOf } from './page-states.ts'

const THEMES = ['light', 'dark'] as const
/** What fits, a desk and a phone. */
const WIDTHS = ['', '1440', '390'] as const

type GalleryProps = { shown: PageState; width: string | null }

/** All states on the left; the chosen one in both themes, each in a document of its own. */
export function Gallery({ shown, width }: GalleryProps) {
  const slug = slugOf(shown)
  const chosen = WIDTHS.find((one) => one === width) ?? ''
  return (
    <div className="gallery">
      <nav aria-label="States">
        {Object.entries(Object.groupBy(PAGE_STATES, ({ page }) => page)).map(([page, states = []]) => (
          <section key={page}>
            <h2>{page}</h2>
            <ul>
              {states.map((one) => (
                <li key={one.state}>
                  <a href={addressOf(slugOf(one), chosen)} aria-current={one === shown ? 'page' : undefined}>
                    {one.state}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <main>
        <header>
          <h1>
            {shown.page}: {shown.state}
          </h1>
          {WIDTHS.map((one) => (
            <a key={one} href={addressOf(slug, one)} aria-current={one === chosen ? 'true' : undefined}>
              {one === '' ? 'fit' : one}
            </a>
          ))}
        </header>
        <div className="frames">
          {THEMES.map((theme) => (
            <figure key={theme} style={chosen === '' ? undefined : { width: `${chosen}px`, flex: 'none' }}>
              <figcaption>
                <a href={`/views?state=${slug}&frame=${theme}`}>{theme}</a>
              </figcaption>
              <iframe
                title={`${shown.page}: ${shown.state}, ${theme}`}
                src={`/views?state=${slug}&frame=${theme}`}
              />
            </figure>
          ))}
        </div>
      </main>
    </div>
  )
}

function addressOf(slug: string, width: string): string {
  return `/views?${new URLSearchParams({ state: slug, ...(width && { width }) })}`
}
