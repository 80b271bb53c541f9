/** Says why nobody receives email, and who can change it. */
export function NoEmailNote() {
  return (
    <p className="text-medium text-xs">
      Email is not set up: an operator sets <code className="font-mono">SMTP_URL</code> and{' '}
      <code className="font-mono">MAIL_FROM</code>. Until then no message goes to an email address.
    </p>
  )
}
