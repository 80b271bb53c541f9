import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { fakeBff } from './app/fake-bff.ts'

// A page's script is loaded when it is first opened, which takes a busy machine a while.
configure({ asyncUtilTimeout: 5000 })

beforeAll(() => fakeBff.listen({ onUnhandledFrame: 'error' }))
afterAll(() => fakeBff.close())

afterEach(() => {
  fakeBff.resetHandlers()
  cleanup()
  localStorage.clear()
})
