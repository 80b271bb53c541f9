import { test } from 'vitest'
import { proveRestarts } from './support/profiles/prove-restarts.ts'

test(
  'of records that are imported around 3 kills, each is in one message that arrives once',
  {
    timeout: 300_000,
  },
  () => proveRestarts(3),
)
