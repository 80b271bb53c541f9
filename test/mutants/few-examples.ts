import fc from 'fast-check'

// A mutant is tried on few examples, and one that fails is enough: to look for the smallest takes longer than all else.
fc.configureGlobal({ endOnFailure: true, numRuns: 30 })
