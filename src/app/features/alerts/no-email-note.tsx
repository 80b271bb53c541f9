import { useQuery } from '@tanstack/react-query'
import { sessionOptions } from '#app/features/session/session-options.ts'

/** Says who receives no email, and who can change it. */
export function NoEmailNote() {
  const { data: session } = useQuery(sessionOptions())
  return (
    <p className="text-medium text-xs">
      Email is not set up: users get messages in Notifications only, and email addresses get none.{' '}
      {session?.user.role === 'admin' ? 'To send email, set ' : 'Ask an admin to set '}
      <code className="font-mono">SMTP_URL</code> and <code className="font-mono">MAIL_FROM</code>.
    </p>
  )
}
