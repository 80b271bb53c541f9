import { Link } from '@tanstack/react-router'

/** Offers in one line to say what concerns the team, where there is no list yet. */
export function MakeList() {
  return (
    <p className="text-muted text-sm print:hidden">
      Which threats concern you?{' '}
      <Link to="/lists/new" className="touch rounded-sm text-accent underline">
        Make a list
      </Link>{' '}
      of suppliers, customers or brands.
    </p>
  )
}
