import { test } from 'vitest'
import { proveRestarts } from '#test/support/profiles/prove-restarts.ts'

test(
  'each record imported around 100 kills is in one message that arrives once',
  {
    timeout: 1_800_000,
  },
  () => proveRestarts(100),
)
