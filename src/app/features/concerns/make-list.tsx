import { Link } from '@tanstack/react-router'

/** Offers in one line to say what concerns the team, where there is no list yet. */
export function MakeList() {
  return (
    <p className="flex flex-wrap items-center gap-x-1 text-muted text-sm print:hidden">
      <span>Which threats concern you?</span>
      <Link to="/lists/new" className="touch rounded-sm text-accent underline">
        Make a list
      </Link>
      <span>of suppliers, customers or brands.</span>
    </p>
  )
}
