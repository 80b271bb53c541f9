import { mergeConfig } from 'vitest/config'
import shared from './mutants.config.ts'

/** How `npm run test:mutants -- --static` runs tests: each file in a world of its own, so that what a module does once is done anew. */
export default mergeConfig(shared, { test: { isolate: true } })
