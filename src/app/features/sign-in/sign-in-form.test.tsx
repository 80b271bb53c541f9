import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { renderPart } from '#test/support/app/render-part.tsx'
import { SignInForm } from './sign-in-form.tsx'

const REFUSED = new ApiError({
  type: 'about:blank',
  title: 'Sign-in failed',
  status: 401,
  code: 'sign_in_failed',
  detail: 'The email or the password is wrong.',
  requestId: 'r-1',
})

function renderForm(error: Error | null = null) {
  const form = (shown: Error | null) => <SignInForm isBusy={false} error={shown} onSubmit={() => {}} />
  const { rerender, ...page } = renderPart(form(error))
  return { ...page, fail: () => rerender(form(REFUSED)) }
}

test('leads to the first field that is missing, and drops the error of the try before', async () => {
  const { user } = renderForm(REFUSED)
  await user.type(screen.getByLabelText('Email'), 'ada@lantern.example{Enter}')

  expect(screen.getByLabelText('Password')).toHaveFocus()
  expect(screen.getByLabelText('Password')).toBeInvalid()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()

  await user.clear(screen.getByLabelText('Email'))
  await user.keyboard('{Enter}')
  expect(screen.getByLabelText('Email')).toHaveFocus()
})

test('after a failure the password is ready to be typed over', async () => {
  const { user, fail } = renderForm()
  await user.type(screen.getByLabelText('Email'), 'ada@lantern.example')
  await user.type(screen.getByLabelText('Password'), 'wrong')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  fail()

  await user.keyboard('right')

  expect(screen.getByRole('alert')).toHaveTextContent('Sign-in failed')
  expect(screen.getByLabelText('Password')).toHaveValue('right')
})
