import { createFileRoute } from '@tanstack/react-router'
import { signInSearchSchema } from '#app/features/sign-in/sign-in-search.ts'

export const Route = createFileRoute('/sign-in')({
  validateSearch: signInSearchSchema,
  component: SignInPage,
})

function SignInPage() {
  return <h1>Sign in to Lantern</h1>
}
