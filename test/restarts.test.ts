import { test } from 'vitest'
import { proveRestarts } from './support/profiles/prove-restarts.ts'

test(
  'each record imported around 3 kills is in one message that arrives once',
  {
    timeout: 300_000,
  },
  () => proveRestarts(3),
)
