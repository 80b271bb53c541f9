import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { type Credentials, credentialsSchema } from '#contract/bff/session.ts'
import { SignInError } from './sign-in-error.tsx'

type SignInFormProps = {
  isBusy: boolean
  error: Error | null
  onSubmit(credentials: Credentials): void
}

/** Keeps what was typed, whatever the answer. */
export function SignInForm({ isBusy, error, onSubmit }: SignInFormProps) {
  const [isMissing, setIsMissing] = useState({ email: false, password: false })
  const password = useRef<HTMLInputElement>(null)
  const retryAt = error instanceof ApiError ? error.retryAt : undefined

  useEffect(() => {
    // Ready to be typed over; empty after a link that failed.
    if (!error || !password.current?.value) return
    password.current.focus()
    password.current.select()
  }, [error])

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const credentials = credentialsSchema.safeParse({
      email: String(form.get('email')).trim(),
      password: form.get('password'),
    })
    const faults = credentials.error?.issues.map(({ path }) => path[0]) ?? []
    setIsMissing({ email: faults.includes('email'), password: faults.includes('password') })
    if (credentials.success) return onSubmit(credentials.data)
    event.currentTarget.querySelector<HTMLElement>(`[name=${String(faults[0])}]`)?.focus()
  }

  return (
    <form className="grid gap-4" noValidate onSubmit={submit}>
      {error && !isMissing.email && !isMissing.password && <SignInError key={retryAt} error={error} />}
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        autoFocus
        spellCheck={false}
        error={isMissing.email && 'Enter the email address of your account.'}
      />
      <TextField
        ref={password}
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        error={isMissing.password && 'Enter your password.'}
      />
      <Button type="submit" variant="primary" isBusy={isBusy} className="mt-1 h-9 max-sm:h-11">
        Sign in
      </Button>
    </form>
  )
}
