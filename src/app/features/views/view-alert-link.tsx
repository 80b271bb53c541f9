import { Link } from '@tanstack/react-router'
import { buttonLook } from '#app/ui/button.tsx'
import type { View } from '#contract/bff/view.ts'
import { parseSearch } from '#matcher/search-query.ts'

/** To the builder of alert profiles, filled in with what a profile has of the view. */
export function ViewAlertLink({ view: { name, filter } }: { view: View }) {
  const { q, actor = [], category } = filter
  const keyword = [...parseSearch(q ?? '').keywords.map(({ text }) => text), ...actor]
  return (
    <section aria-label="Alert profile" className="grid gap-2 border-line border-t pt-3">
      <h3 className="font-medium text-muted text-xs">Alert profile</h3>
      <p className="text-faint text-xs">
        A profile watches for any of its words, and knows categories: the other filters stay behind.
      </p>
      <Link
        to="/alerts/new"
        search={{ name, category, keyword: keyword.length > 0 ? keyword : undefined }}
        className={`${buttonLook({ size: 'small' })} justify-self-start`}
      >
        Save as alert profile
      </Link>
    </section>
  )
}
